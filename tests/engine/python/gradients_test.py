"""Holds `requires_grad` and `is_leaf` to PyTorch's, in a process with each. Exit code 77 without PyTorch."""
import os
import pathlib
import subprocess
import sys
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
CASES = pathlib.Path(__file__).resolve().parent / "gradients_cases.py"
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"


def lines(*launcher):
    return subprocess.run([PYTORCH, *launcher, CASES], check=True, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(PACKAGE)}).stdout.splitlines()


class Gradients(unittest.TestCase):
    maxDiff = None

    def test_are_asked_for_as_in_pytorch(self):
        theirs = lines()
        self.assertGreater(len(theirs), 200)
        self.assertEqual(lines("-m", "assay"), theirs)


if __name__ == "__main__":
    try:
        subprocess.run([PYTORCH, HAS_MODULES, "torch"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        print("skipped: there is no PyTorch")
        sys.exit(77)
    unittest.main()
