"""The HTML report in a real browser, made by the real program from models of the corpus.

Use: browser_test.py ASSAY [--screenshots FOLDER]    (from the repository's root)
Exits with 77 (skipped) where there is no Chromium.
"""

import base64
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

HERE = pathlib.Path(__file__).resolve().parent
PROBES = (HERE / "probes.js").read_text()
# A silent and loud fault with a source line; two letters, so a picture; several findings; a clean
# model; one of which nothing can be said.
CASES = ["sizes/arange_len", "sizes/flatten_batch", "captures/numpy_round_trip",
         "interface/nested", "untested/always_rejected"]
WIDE, NARROW = (1280, 900), (360, 740)
TAB = 9


def make_reports(assay, folder):
    for case in CASES:
        home = pathlib.Path("corpus") / case
        expected = json.loads((home / "expected.json").read_text())
        name = folder / case.replace("/", "-")
        run = subprocess.run(
            [assay, "check", home / expected["subject"], "--spec", home / "spec.json",
             "--against", home / expected["reference"], "--reexports", home / "calls.rec",
             "--no-database", "--no-times", "--quiet", "--max-examples", "60",
             "--json", f"{name}.json", "--html", f"{name}.html"],
            capture_output=True, text=True, timeout=120)
        if run.returncode not in (0, 1, 4):
            raise RuntimeError(f"{case}: {run.stdout}{run.stderr}")


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay_pages_"))
        make_reports(assay_program, cls.folder)
        cls.browser = Browser(chromium)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def ask(self, probe):
        return self.browser.run(f"({PROBES}).{probe}")

    def each_view(self, check):
        """Calls check(name, size) for every page in every width and colour scheme."""
        for case, scheme, size in itertools.product(CASES, ("light", "dark"), (WIDE, NARROW)):
            name = case.replace("/", "-")
            with self.subTest(case=case, scheme=scheme, width=size[0]):
                self.browser.size(*size)
                self.browser.scheme(scheme)
                self.browser.open((self.folder / f"{name}.html").as_uri())
                check(f"{name}-{scheme}-{size[0]}", size)

    def test_opens_from_a_file_without_an_error_or_a_request(self):
        def check(name, _):
            self.assertEqual(self.browser.logged, [])
            outside = [u for u in self.browser.requested if not u.startswith(("file:", "data:"))]
            self.assertEqual(outside, [])
            self.assertEqual(len([u for u in self.browser.requested if u.startswith("file:")]), 1)
            if screenshots:
                shot = self.browser.call("Page.captureScreenshot", captureBeyondViewport=True)
                (screenshots / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))
        self.each_view(check)

    def test_text_has_contrast_and_a_readable_size(self):
        def check(*_):
            texts = self.ask("texts()")
            self.assertGreater(len(texts), 30)
            self.assertEqual([t for t in texts if t["ratio"] < 4.5], [])
            self.assertEqual([t for t in texts if t["pixels"] < 10.5], [])
        self.each_view(check)

    def test_nothing_is_wider_than_the_page(self):
        def check(_, size):
            self.assertEqual(self.ask(f"wider({size[0]})"), [])
            self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), size[0])
        self.each_view(check)

    def test_shows_every_finding_whole(self):
        for case in CASES:
            name = case.replace("/", "-")
            document = json.loads((self.folder / f"{name}.json").read_text())
            self.browser.size(*WIDE)
            self.browser.open((self.folder / f"{name}.html").as_uri())
            shown = self.browser.run("document.body.innerText")
            wanted = [document["gate"]["sentence"], document["model"]["name"]]
            wanted += [a["boundary"] for a in document["axes"]] + document["not_tested"]
            for f in document["findings"]:
                cause = f["cause"]
                wanted += [f["class"], f["title"], f["visibility"], f["repro"], cause["proof"],
                           cause["literal"], f"{cause['file']}:{cause['line']}",
                           *(b["text"] for b in f["boundaries"]), f["comparison"]["headline"]]
            for text in wanted:
                with self.subTest(case=case, text=text[:60]):
                    self.assertIn(text, shown)
            self.assertEqual(self.browser.run("document.querySelectorAll('details.finding').length"),
                             len(document["findings"]))

    def test_the_keyboard_reaches_everything_in_order_and_is_seen(self):
        for case in CASES:
            for size in (WIDE, NARROW):
                with self.subTest(case=case, width=size[0]):
                    self.browser.size(*size)
                    self.browser.open((self.folder / f"{case.replace('/', '-')}.html").as_uri())
                    stops = self.ask("stops()")
                    self.assertGreater(len(stops), 5)
                    for stop in stops:
                        self.browser.key("Tab", TAB)
                        focus = self.ask("focus()")
                        self.assertEqual(focus, {"name": stop, "outlined": True, "shown": True})

    def test_keys_close_a_finding_and_copy_its_command(self):
        self.browser.size(*WIDE)
        self.browser.open((self.folder / "sizes-arange_len.html").as_uri())
        self.browser.run("document.querySelector('summary').focus()")
        is_open = "document.querySelector('details.finding').open"
        self.assertTrue(self.browser.run(is_open))
        self.browser.key("Enter", 13, "\r")
        self.assertFalse(self.browser.run(is_open))
        self.browser.key("Enter", 13, "\r")
        self.assertTrue(self.browser.run(is_open))
        self.browser.run("document.querySelector('button[data-copy]').focus()")
        self.browser.key("Enter", 13, "\r")
        said = self.browser.run("new Promise(done => setTimeout(done, 200)).then(() => "
                                "document.querySelector('button[data-copy]').firstChild.textContent)")
        self.assertIn(said, ("Copied", "Selected"))

    def test_is_complete_without_scripts(self):
        name = (self.folder / "sizes-arange_len.html").as_uri()
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.open(name)
            text = self.browser.run("document.body.innerText")
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        for part in ("AS102", "model.py:8", "assay replay"):
            self.assertIn(part, text)
        self.assertNotIn("Copy", text)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    screenshots = None
    if "--screenshots" in arguments:
        screenshots = pathlib.Path(arguments.pop(arguments.index("--screenshots") + 1))
        arguments.remove("--screenshots")
        screenshots.mkdir(parents=True, exist_ok=True)
    assay_program = arguments.pop(0)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        print("skipped: there is no chromium here")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *arguments])
