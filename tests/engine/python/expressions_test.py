"""Expressions over tensors show the same under assay's torch as under PyTorch."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SKIPPED = 77


def has_pytorch():
    found = subprocess.run([PYTORCH, HAS_MODULES, "torch", "numpy"], capture_output=True)
    return found.returncode == 0


def results(command, environment=None):
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    if run.returncode != 0:
        raise AssertionError(f"{command} failed:\n{run.stderr[-3000:]}")
    return {line: shown for line, shown in map(json.loads, run.stdout.splitlines())}


def same(ours, theirs):
    """Errors are compared by their class; messages are each library's own."""
    if ours[0] == "raises" and theirs[0] == "raises":
        return ours[1] == theirs[1]
    return ours == theirs


class Expressions(unittest.TestCase):
    def check(self, name):
        file = str(HERE / name)
        theirs = results([PYTORCH, str(HERE / "show.py"), file])
        ours = results([PYTORCH, "-m", "assay", str(HERE / "show.py"), file],
                       {**os.environ, "PYTHONPATH": str(PACKAGE)})
        self.assertGreater(len(theirs), 100)
        for line, expected in theirs.items():
            with self.subTest(expression=line):
                self.assertTrue(same(ours[line], expected),
                                f"{line}\n  PyTorch: {expected}\n  assay:   {ours[line]}")


for _file in sorted(HERE.glob("expressions*.txt")):
    setattr(Expressions, "test_" + _file.stem, lambda self, name=_file.name: self.check(name))


if __name__ == "__main__":
    if not has_pytorch():
        print("there is no PyTorch to compare with:", PYTORCH)
        sys.exit(SKIPPED)
    unittest.main()
