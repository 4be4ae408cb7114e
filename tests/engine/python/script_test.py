"""Holds torch.jit.script of assay's torch to PyTorch's: script_cases.py runs in a process with each. The
graphs, the code, the results and what is refused have to be the same."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SKIPPED = 77
# Where nameless values have other numbers than PyTorch's.
OTHER_NUMBERS = ("older_constructors", "dict_of_pairs", "Constants", "AsksForClassesOfModules", "reloaded_loop")


def has_pytorch():
    return subprocess.run([PYTORCH, HAS_MODULES, "torch"], capture_output=True).returncode == 0


def answers(command, environment=None):
    run = subprocess.run(command + [str(HERE / "script_cases.py")], capture_output=True, text=True, env=environment)
    if run.returncode != 0:
        raise AssertionError(f"{command} failed:\n{run.stderr[-3000:]}")
    return json.loads(run.stdout.rstrip().rsplit("\n", 1)[-1])


def renumbered(graph):
    """The text of a graph with its nameless values counted in order. Their own numbers count what a
    compiler made and removed again, overloads that it tried in vain included."""
    seen = {}
    return remangled(re.sub(r"%(\d+)\b", lambda found: "%" + seen.setdefault(found[1], f"v{len(seen)}"), graph or ""))


def remangled(text):
    """A text with the mangled names of classes counted in order: their own numbers count all in the process."""
    seen = {}
    return re.sub(r"torch_mangle_(\d+)", lambda found: seen.setdefault(found[1], f"mangle {len(seen)}"), text or "")


class Script(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.theirs = answers([PYTORCH])
        cls.ours = answers([PYTORCH, "-m", "assay"], {**os.environ, "PYTHONPATH": str(PACKAGE)})

    def compare(self, part, as_compared=lambda value: value):
        for name, theirs in self.theirs.items():
            if part not in theirs:
                continue
            with self.subTest(case=name):
                ours = self.ours[name]
                self.assertIn(part, ours, ours.get("refused"))
                self.assertEqual(as_compared(ours[part]), as_compared(theirs[part]))

    def test_same_cases(self):
        self.assertEqual(list(self.ours), list(self.theirs))
        self.assertGreater(len(self.theirs), 100)

    def test_graphs(self):
        self.compare("graph", renumbered)

    def test_numbers_of_values(self):
        numbered = {name: each for name, each in self.theirs.items() if name not in OTHER_NUMBERS and "graph" in each}
        self.assertGreater(len(numbered), 120)
        for name, theirs in numbered.items():
            with self.subTest(case=name):
                self.assertEqual(remangled(self.ours[name]["graph"]), remangled(theirs["graph"]))

    def test_code(self):
        self.compare("code", remangled)

    def test_results(self):
        self.compare("result")

    def test_what_is_refused(self):
        for name, theirs in self.theirs.items():
            for how in ("refused", "raised"):
                with self.subTest(case=name, how=how):
                    self.assertEqual(how in self.ours[name], how in theirs, self.ours[name].get(how))

    def test_errors_show_the_source(self):
        error = self.ours["bad_types"]["refused"]
        self.assertIn('return n + "s"', error)
        self.assertIn("~~~ <--- HERE", error)
        self.assertIn("script_outside.py", error)


if __name__ == "__main__":
    if not has_pytorch():
        print("there is no PyTorch to compare with:", PYTORCH)
        sys.exit(SKIPPED)
    unittest.main()
