"""What a new user types first, beside a live PyTorch: naming, building and exporting a model.

Use: first_hour_test.py ASSAY [--draw N]    (from the repository's root; skipped where the Python that
ASSAY_PYTHON names, or the system's, has no PyTorch; with a number so many of the tests are drawn, and
ASSAY_SEED=N repeats a draw)
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED = 77
python = os.path.abspath(os.environ.get("ASSAY_PYTHON", "/usr/bin/python3"))
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"

MODELS = """
import sys
import time
import typing
from dataclasses import dataclass

import torch


class Batch(typing.NamedTuple):
    image: torch.Tensor
    times: int


@dataclass(frozen=True)
class Pair:
    left: torch.Tensor
    right: torch.Tensor
    mode: str = "add"


class Net(torch.nn.Module):
    def __init__(self, dim=4, act="relu"):
        super().__init__()
        self.linear = torch.nn.Linear(dim, dim)
        self.act = getattr(torch, act)

    def forward(self, x, scale: float = 1.0, *, flip: bool = False):
        y = self.act(self.linear(x)) * scale
        return -y if flip else y


class Counted(torch.nn.Module):
    def forward(self, batch: Batch):
        rows = torch.arange(len(batch.image)).unsqueeze(1)
        return batch.image * batch.times + rows


class Joined(torch.nn.Module):
    def forward(self, pair: Pair, power: int):
        both = pair.left + pair.right if pair.mode == "add" else pair.left * pair.right
        return both ** power


class Scripted(torch.nn.Module):
    def forward(self, batch: Batch, power: int, up: bool) -> torch.Tensor:
        out = batch.image * batch.times
        return out ** power if up else out


class Leaves(torch.nn.Module):
    def forward(self, x):
        if len(x) > 2:
            sys.exit("too long")
        return x * 2


def build(dim, flag):
    return Net(dim, "tanh" if flag else "relu")


def slow_build():
    time.sleep(1000)


def example():
    return torch.ones(2, 4), 0.5


def pair_example():
    return Pair(torch.ones(3), torch.ones(3), "mul"), 2
"""


class FirstHour(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="assay_first_hour_")
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "model.py").write_text(MODELS)

    def tearDown(self):
        self.scratch.cleanup()

    def assay(self, *words):
        environment = {k: v for k, v in os.environ.items() if k not in ("CI", "ASSAY_PROFILE")}
        environment["OMP_NUM_THREADS"] = "1"
        return subprocess.run([assay, *words, "--python", python], cwd=self.folder, text=True,
                              capture_output=True, timeout=300, env=environment)

    def check(self, model, *words, code=0):
        done = self.assay("check", f"model.py:{model}" if ":" not in model else model, *words,
                          "--no-database", "-q", "--max-examples", "12", "--json", "r.json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        report = self.folder / "r.json"
        return done, json.loads(report.read_text()) if code in (0, 1) else None

    def refused(self, parts, model, *words):
        done, _ = self.check(model, *words, code=2)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertEqual(done.stderr.count("assay: "), 1, done.stderr)

    def test_a_model_is_built_with_what_stands_behind_its_name(self):
        sizes = ["--input", "x: f32[b, 8]", "--dim", "b=1..4"]
        for name, flags in (("Net(dim=8)", []), ("Net(8, act='tanh')", []), ("build(8, True)", []),
                            ("Net", ["--build-args", '{"dim": 8}']),
                            ("build", ["--build-args", "[8, false]"])):
            with self.subTest(name=name):
                _, report = self.check(name, *sizes, *flags)
                self.assertEqual(report["totals"]["valid"], 12)
                self.assertRegex(report["model"]["sha256"], "^[0-9a-f]{64}$")
        self.refused(["dim is no literal", "a function without parameters"], "Net(dim=n)", *sizes)
        self.refused(["needs arguments", "model.py:Pair(left=..., right=...)"], "Pair", *sizes)

    def test_a_file_of_a_package_is_a_part_of_it(self):
        inner = self.folder / "pkg" / "inner"
        inner.mkdir(parents=True)
        for init in (inner / "__init__.py", inner.parent / "__init__.py"):
            init.write_text("")
        (inner.parent / "parts.py").write_text("import torch\n\n\ndef count(x):\n"
                                               "    return x + torch.arange(len(x))\n")
        (inner / "net.py").write_text("import torch\nfrom ..parts import count\n\n\n"
                                      "class Net(torch.nn.Module):\n"
                                      "    def forward(self, x):\n        return count(x)\n")
        for name in ("pkg/inner/net.py:Net", "pkg.inner.net:Net"):
            _, report = self.check(name, "--input", "x: f32[b]", "--dim", "b=1..4", code=1)
            self.assertEqual(report["findings"][0]["cause"]["source"], "return x + torch.arange(len(x))")
            self.assertRegex(report["model"]["sha256"], "^[0-9a-f]{64}$")

    def test_tracing_fixes_what_it_cannot_take(self):
        _, report = self.check("Net", "--input", "x: f32[b, 4]", "--input", "scale: 2.0",
                               "--input", "flip= True", "--dim", "b=1..4")
        self.assertEqual((report["totals"]["valid"], report["findings"]), (12, []))
        _, report = self.check("Joined", "--input", 'pair: Pair(left: f32[b], right: f32[b], mode: "mul")',
                               "--input", "power: 3", "--dim", "b=1..4")
        self.assertEqual((report["totals"]["valid"], report["findings"]), (12, []))
        done, report = self.check("Counted", "--input", "batch: Batch(image: f32[b, 2], times: 3)",
                                  "--dim", "b=1..4", code=1)
        found = report["findings"][0]
        self.assertEqual((found["class"], found["cause"]["proof"]), ("AS102", "proven"))
        self.assertIn("len(batch.image)", found["cause"]["source"])
        replay = re.search(r"'(ASSAY1:[^']*)'", done.stdout).group(1)
        again = self.assay("replay", replay)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_what_only_scripting_can_is_told(self):
        words = ["--input", "batch: Batch(image: f32[b, 2], times: int in 1..3)", "--dim", "b=1..4",
                 "--input", "power: int in 1..2", "--input", "up: bool"]
        self.refused(["batch.times is declared as int in 1..3", "batch.times: 3", "--export script"],
                     "Scripted", *words)
        _, report = self.check("Scripted", *words, "--export", "script")
        self.assertEqual((report["totals"]["valid"], report["findings"]), (12, []))
        self.refused(["no argument holds a tensor", "--export script"], "Net", "--input", "x: 3")

    def test_a_spec_is_proposed_told_and_refined_by_flags(self):
        done, report = self.check("Net(6)", "--dim", "b=2..3", "--modes", "eval,train")
        self.assertIn("--input 'x: f32[b, 6]' --dim b=2..3 --modes eval,train", done.stderr)
        self.assertEqual(report["spec"]["modes"], ["eval", "train"])
        done, report = self.check("Net", "--example", "model.py:example")
        self.assertIn("what the example shows", done.stderr)
        self.assertEqual(report["spec"]["inputs"], ["x: f32[b, 4]", "scale: 0.5"])
        done, report = self.check("Joined", "--example", "model.py:pair_example")
        self.assertEqual(report["spec"]["inputs"],
                         ['pair: Pair(left: f32[b], right: f32[b], mode: "mul")', "power: 2"])
        self.refused(["what are the inputs of model.py:Joined", "power: int"], "Joined")

    def test_a_model_that_leaves_is_said_to(self):
        _, report = self.check("Leaves", "--input", "x: f32[b]", "--dim", "b=1..4", code=1)
        self.assertIn("raised SystemExit: sys.exit('too long') was called",
                      report["findings"][0]["reference_gave"])
        self.refused(["cannot be exported", "SystemExit: sys.exit('too long')", "model.py:"],
                     "Leaves", "--input", "x: f32[3]")

    def test_inputs_that_do_not_fit_are_told_with_the_parameters(self):
        sizes = ["--dim", "b=1..4"]
        self.refused(["too many positional arguments", "(x, scale: float = 1.0, *, flip"], "Net",
                     "--input", "x: f32[b, 4]", "--input", "s: 1.0", "--input", "y: f32[2]", *sizes)
        self.refused(["missing a required argument: 'x'"], "Net", "--input", "z= f32[2]")
        self.refused(["Net has no method fwd"], "Net", "--input", "x: f32[2, 4]", "--method", "fwd")
        self.refused(["declared as f32[b, 5]", "the example has f32[2, 4]"], "Net", "--example",
                     "model.py:example", "--input", "x: f32[b, 5]", "--input", "s: 0.5", *sizes)
        self.refused(["model.py:Net gives a module"], "Net", "--example", "model.py:Net")
        self.refused(["no named tuple or dataclass Bach", "Batch, Pair"], "Counted", "--input",
                     "batch: Bach(image: f32[b], times: 2)", *sizes)
        scaled = ["Net", "--input", "x: f32[b, 4]", "--input", "s: 0.5", *sizes]
        self.refused(["a check is of one export, not of 2", "write a builder"], *scaled, "--exports", "1..2")
        self.refused(["strict: an export is made with one of them", "check each"], *scaled, "--strict", "on,off")
        self.refused(["has no device cuda:"], "Net", "--input", "x: f32[2, 4]", "--devices", "cuda:77")

    def test_a_build_that_hangs_ends_in_time(self):
        start = time.monotonic()
        self.refused(["building model.py:slow_build took longer than 2 s", "--timeout-per-case"],
                     "slow_build", "--input", "x: f32[3]", "--timeout-per-case", "2s")
        self.assertLess(time.monotonic() - start, 60)

    def test_a_recording_holds_what_was_traced_with_less(self):
        done = self.assay("record", "model.py:Counted", "--input",
                          "batch: Batch(image: f32[b, 2], times: 3)", "--dim", "b=1..4", "-o", "c.rec")
        self.assertEqual(done.returncode, 0, done.stderr)
        exports = re.search(r"(\d+) exports", done.stdout)
        self.assertGreater(int(exports.group(1)), 2, done.stdout)
        self.assertFalse((self.folder / "c.rec.partial").exists())


def drawn(count):
    names = unittest.TestLoader().getTestCaseNames(FirstHour)
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(10 ** 9))
    print(f"ASSAY_SEED={seed} repeats this draw")
    return [f"FirstHour.{name}" for name in random.Random(seed).sample(names, count)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("assay", type=pathlib.Path)
    parser.add_argument("--draw", type=int)
    options, words = parser.parse_known_args()
    assay = options.assay.resolve()
    if not pathlib.Path(python).exists() or subprocess.run(
            [python, HAS_MODULES, "torch"], capture_output=True).returncode:
        print(f"skipped: {python} has no PyTorch")
        sys.exit(SKIPPED)
    tests = drawn(options.draw) if options.draw else []
    unittest.main(argv=[sys.argv[0], *words, *tests])
