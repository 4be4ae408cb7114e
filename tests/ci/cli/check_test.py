"""`assay check` as a program: what it remembers, how it ends, what it writes.

Use: check_test.py ASSAY    (from the repository's root; needs no PyTorch)
"""

import datetime
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
import zlib

import jsonschema

ROOT = pathlib.Path.cwd()
SCHEMA = json.loads((ROOT / "reports/report.schema.json").read_text())


def words_of(case, against=None):
    home = ROOT / "corpus" / case
    expected = json.loads((home / "expected.json").read_text())
    return [str(w) for w in (assay, "check", home / expected["subject"], "--spec", home / "spec.json",
                             "--against", home / (against or expected["reference"]),
                             "--reexports", home / "calls.rec", "--no-times", "--quiet")]


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay_check_"))
        self.environment = {k: v for k, v in os.environ.items() if k not in ("CI", "ASSAY_PROFILE")}

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_check(self, words, **environment):
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**self.environment, **environment})

    def report(self, name="r.json"):
        document = json.loads((self.folder / name).read_text())
        jsonschema.validate(document, SCHEMA)
        return document

    def remembered(self):
        return sorted((self.folder / ".assay").glob("examples/*/*.json"))

    def start(self, words):
        return subprocess.Popen(words, cwd=self.folder, env=self.environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_for_findings(self, process):
        end = time.monotonic() + 60
        while len(self.remembered()) < 2 and time.monotonic() < end:
            self.assertIsNone(process.poll(), "it ended by itself")
            time.sleep(0.02)
        self.assertEqual(len(self.remembered()), 2)

    def test_a_killed_run_resumes_with_what_it_had_found(self):
        words = words_of("sizes/arange_len")
        process = self.start([*words, "--time", "120s"])
        self.wait_for_findings(process)
        process.kill()
        process.wait()
        kept = {p.name: p.read_text() for p in self.remembered()}
        # Two cases suffice: those remembered.
        again = self.run_check([*words, "--max-examples", "2", "--json", "r.json"])
        self.assertEqual(again.returncode, 1, again.stderr)
        document = self.report()
        self.assertEqual(document["totals"]["remembered"], 2)
        self.assertEqual({p["visibility"] for p in document["points"] if p["property"] == "parity"},
                         {"silent", "loud"})
        self.assertEqual([f["class"] for f in document["findings"]], ["AS102"])
        self.assertEqual({p.name for p in self.remembered()}, set(kept))

    def test_equal_seeds_and_memories_give_equal_bytes(self):
        words = [*words_of("sizes/arange_len"), "--max-examples", "40", "--json", "r.json"]
        self.run_check(words)
        texts = []
        for _ in range(2):
            shutil.copytree(self.folder / ".assay", self.folder / "state", dirs_exist_ok=True)
            self.assertEqual(self.run_check(words).returncode, 1)
            texts.append((self.folder / "r.json").read_bytes())
            shutil.rmtree(self.folder / ".assay")
            shutil.copytree(self.folder / "state", self.folder / ".assay")
        self.assertEqual(texts[0], texts[1])

    def test_signals_end_it_in_order_with_reports(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number):
                shutil.rmtree(self.folder / ".assay", ignore_errors=True)
                process = self.start([*words_of("sizes/arange_len"), "--time", "120s",
                                      "--json", "r.json", "--html", "r.html"])
                self.wait_for_findings(process)
                process.send_signal(number)
                self.assertEqual(process.wait(60), code)
                document = self.report()
                self.assertEqual(document["totals"]["stopped_by"], "interrupt")
                self.assertEqual(document["gate"]["result"], "failed")
                self.assertIn("</html>", (self.folder / "r.html").read_text())

    def test_code_scanning_and_ci_servers_get_what_the_report_says(self):
        words = [*words_of("sizes/arange_len"), "--no-database", "--json", "r.json", "--sarif", "r.sarif", "--junit", "r.xml"]
        self.assertEqual(self.run_check(words).returncode, 1)
        report = self.report()
        finding = report["findings"][0]
        run = json.loads((self.folder / "r.sarif").read_text())["runs"][0]
        result = run["results"][0]
        self.assertEqual((result["ruleId"], result["level"]), (finding["class"], "error"))
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["region"]["startLine"], finding["cause"]["line"])
        self.assertFalse(place["artifactLocation"]["uri"].startswith("/"))
        suite = xml.etree.ElementTree.parse(self.folder / "r.xml").getroot().find("testsuite")
        failures = suite.findall("testcase/failure")
        self.assertEqual(len(failures), int(suite.get("failures")))
        self.assertIn(finding["repro"], failures[0].text)
        self.assertIn(finding["class"], failures[0].get("type"))
        for form in ("sarif", "junit"):
            again = subprocess.run([assay, "report", "r.json", "--format", form], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(again.stdout, (self.folder / {"sarif": "r.sarif", "junit": "r.xml"}[form]).read_text())

    def test_known_and_accepted_faults_pass_and_those_that_are_gone_do_not(self):
        faulty = [*words_of("sizes/arange_len"), "--no-database", "--json", "r.json"]
        self.assertEqual(self.run_check(faulty).returncode, 1)
        finding = self.report()["findings"][0]
        shutil.copy(self.folder / "r.json", self.folder / "base.json")
        known = self.run_check([*faulty, "--baseline", "base.json", "--junit", "r.xml"])
        self.assertEqual(known.returncode, 0, known.stdout)
        self.assertIn("known: base.json has it", known.stdout)
        self.assertEqual([f["state"] for f in self.report()["findings"]], ["known"])
        suite = xml.etree.ElementTree.parse(self.folder / "r.xml").getroot().find("testsuite")
        self.assertEqual((suite.get("failures"), suite.get("errors")), ("0", "0"))
        entry = {"fingerprint": finding["fingerprint"], "class": finding["class"], "reason": "fixed in spring"}
        for more, code, state in (({}, 0, "xfail"), ({"expires": "2001-01-01"}, 1, "new")):
            (self.folder / "list.json").write_text(json.dumps([{**entry, **more}]))
            self.assertEqual(self.run_check([*faulty, "--xfail", "list.json"]).returncode, code)
            self.assertEqual(self.report()["findings"][0]["state"], state)
        (self.folder / "list.json").write_text(json.dumps([{**entry, "fingerprint": "0123456789abcdef"}]))
        both = self.run_check([*faulty, "--baseline", "base.json", "--xfail", "list.json"])
        self.assertEqual(both.returncode, 1)
        self.assertEqual(self.report()["findings"][1]["state"], "xpass")
        self.assertIn("take the entry out", both.stdout)
        # Where nothing could be compared, nothing is known to be gone.
        silent = [*words_of("untested/always_rejected"), "--no-database", "--json", "r.json", "--xfail", "list.json"]
        self.assertEqual(self.run_check(silent).returncode, 4)
        self.assertEqual(self.report()["findings"], [])
        (self.folder / "list.json").write_text("[{}]")
        self.assertEqual(self.run_check([*faulty, "--xfail", "list.json"]).returncode, 2)

    def test_a_ci_run_remembers_nothing(self):
        words = [*words_of("sizes/arange_len"), "--max-examples", "20"]
        for extra, environment in ((["--profile", "ci"], {}), ([], {"CI": "1"}),
                                   ([], {"ASSAY_PROFILE": "ci"}), (["--no-database"], {})):
            with self.subTest(extra=extra, environment=environment):
                self.assertEqual(self.run_check([*words, *extra], **environment).returncode, 1)
                self.assertFalse((self.folder / ".assay").exists())
        self.assertEqual(self.run_check([*words, "--profile", "fast"]).returncode, 2)

    def test_the_database_lies_where_the_user_says(self):
        words = [*words_of("sizes/arange_len"), "--max-examples", "20", "--database", "here"]
        self.assertEqual(self.run_check(words).returncode, 1)
        self.assertEqual(len(list((self.folder / "here/examples/parity").glob("*.json"))), 2)
        self.assertFalse((self.folder / ".assay").exists())

    def test_a_replay_holds_class_and_line(self):
        self.run_check(words_of("sizes/arange_len") + ["--json", "r.json"])
        repro = self.report()["findings"][0]["repro"]
        home = ROOT / "corpus/sizes/arange_len"
        words = ["--model", home / "trace.pt", "--against", home / "script.pt", "--reexports", home / "calls.rec"]
        held = self.run_check([assay, "replay", repro, *words])
        self.assertEqual(held.returncode, 1, held.stdout)
        packed = repro.removeprefix("ASSAY1:")
        fields = json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))
        fields["line"] += 1
        other = base64.urlsafe_b64encode(zlib.compress(json.dumps(fields).encode())).decode().rstrip("=")
        moved = self.run_check([assay, "replay", "ASSAY1:" + other, *words])
        self.assertEqual(moved.returncode, 0, moved.stdout)
        self.assertIn(f"instead of AS102 at line {fields['line']}", moved.stdout)

    def test_what_shows_beside_another_fault_replays(self):
        for case in ("several/average_and_branch", "gradients/target_branch"):
            home = ROOT / "corpus" / case
            self.run_check([assay, "check", f"{home}/model.py:Net", "--spec", home / "spec.json", "--example",
                            f"{home}/model.py:example", "--host", "engine", "--no-database", "-q", "--json", "r.json"])
            found = self.report()["findings"]
            self.assertGreater(len(found), 0)
            for finding in found:
                again = self.run_check([assay, "replay", finding["repro"], *finding["repro_flags"].split()])
                self.assertEqual(again.returncode, 1, f"{case} {finding['class']}: {again.stdout}{again.stderr}")

    def test_many_literals_of_one_cause_are_told_in_ten_lines(self):
        words = [w for w in words_of("sizes/one_length_many_literals") if w != "--quiet"]
        run = self.run_check([*words, "--no-database", "--json", "r.json"])
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual([f["class"] for f in self.report()["findings"]], ["AS102"])
        told = run.stdout[run.stdout.index("AS102"):].split("\n\n")[0].splitlines()
        self.assertLessEqual(len(told), 10, told)
        self.assertEqual(sum("cause: " in line for line in told), 1, told)

    def test_an_archive_alone_has_not_passed_where_it_raises(self):
        alone = [assay, "check", ROOT / "corpus/preconditions/three_rows/trace.pt", "--no-database", "-q"]
        run = self.run_check([*alone, "--input", "x: f32[b, 4]", "--dim", "b=1..8", "--json", "r.json"])
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        found = self.report()["findings"]
        self.assertEqual([(f["class"], f["visibility"]) for f in found], [("AS102", "loud")])
        regions = found[0]["boundaries"][0]["regions"]
        self.assertEqual([r["sizes"] for r in regions if r["verdict"] == "right"], [[[3, 3]]])

    def test_one_answer_for_all_inputs_is_told_of_an_archive_alone(self):
        run = self.run_check([assay, "check", ROOT / "corpus/captures/one_answer_for_all/trace.pt", "-q",
                              "--input", "boxes: f32[3, 4]", "--no-database", "--json", "r.json"])
        self.assertEqual(run.returncode, 4, run.stdout + run.stderr)
        self.assertIn("it follows no input", self.report()["gate"]["sentence"])

    def test_reports_fit_their_schema(self):
        wanted = {"sizes/arange_shape": 0, "arity/sum_of_chunks": 1, "guards/lost_assert": 1,
                  "devices/new_zeros": 1, "modes/traced_in_train": 1, "branches/sqrt_or_square": 1,
                  "interface/nested": 0, "untested/always_rejected": 4}
        for case, code in wanted.items():
            with self.subTest(case=case):
                run = self.run_check([*words_of(case), "--no-database", "--max-examples", "60",
                                      "--json", "r.json"])
                self.assertEqual(run.returncode, code, run.stderr)
                document = self.report()
                self.assertEqual(document["gate"]["exit_code"], code)
                self.assertTrue(document["gate"]["sentence"].endswith("."))
                for finding in document["findings"]:
                    self.assertTrue(finding["boundaries"][0]["text"], finding["class"])

    def test_times_are_real_unless_they_are_left_out(self):
        words = [*words_of("sizes/arange_shape"), "--no-database", "--max-examples", "20",
                 "--json", "r.json", "--html", "r.html"]
        self.assertEqual(self.run_check(words).returncode, 0)
        self.assertNotIn("times", self.report()["run"])
        begun = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        start = time.monotonic()
        self.assertEqual(self.run_check([w for w in words if w != "--no-times"]).returncode, 0)
        took = time.monotonic() - start
        times = self.report()["run"]["times"]
        first, last = (datetime.datetime.strptime(times[k], "%Y-%m-%dT%H:%M:%S%z")
                       for k in ("start", "end"))
        self.assertLessEqual(begun, first)
        self.assertLessEqual(first, last)
        self.assertTrue(0 < times["seconds"] <= took, times)
        self.assertIn("<dt>Seconds</dt><dd>", (self.folder / "r.html").read_text())

    def test_findings_that_the_gate_lets_pass_are_named(self):
        words = [*words_of("sizes/arange_len"), "--no-database", "--max-examples", "20",
                 "--json", "r.json", "--fail-class", "AS103"]
        run = self.run_check(words)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertRegex(run.stdout, "not gated: F1: AS102 pinned size .*--fail-class leaves it out")
        gate = self.report()["gate"]
        self.assertIn("the gate was told to let that pass", gate["sentence"])
        self.assertTrue(gate["not_gated"])

    def test_a_database_that_cannot_be_written_is_told_once(self):
        (self.folder / "file").write_text("")
        run = self.run_check([*words_of("sizes/arange_len"), "--max-examples", "20",
                              "--database", "file"])
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr.count("failing cases are not remembered"), 1, run.stderr)

    def test_nothing_compared_is_undecided_and_a_recording_says_what_it_measured(self):
        self.assertEqual(self.run_check(words_of("untested/always_rejected")).returncode, 4)
        run = self.run_check([*words_of("sizes/arange_len", "calls.rec"), "--json", "r.json"])
        self.assertEqual(run.returncode, 1, run.stderr)
        boundary = self.report()["findings"][0]["boundaries"][0]
        self.assertLess(boundary["measured"], boundary["possible"])
        self.assertIn(f"{boundary['measured']} of 17 sizes measured", boundary["text"])
        sizes = {tuple(s) for r in boundary["regions"] if r["verdict"] == "right" for s in r["sizes"]}
        self.assertEqual(sizes, {(7, 7)})


if __name__ == "__main__":
    assay = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
