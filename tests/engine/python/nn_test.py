"""Holds assay's torch.nn to PyTorch's: the same rows are evaluated in a process with each, and compared."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import nn_behaviours
import nn_rows

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
FOLDER = pathlib.Path(__file__).resolve().parent
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SKIPPED = 77
RELATIVE, ABSOLUTE = 2e-4, 2e-5
# What PyTorch leaves to Python or to nested tensors, neither of which a graph of assay's has.
TRACED_OTHERWISE = ("nn.CrossMapLRN2d(", "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2")


def values(module, folder):
    path = os.path.join(folder, module + ".json")
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    subprocess.run([PYTORCH, FOLDER / "nn_values.py", module, path], check=True, env=environment)
    with open(path) as read:
        return json.load(read)


def close(ours, theirs):
    """Numbers that differ by rounding alone are the same, and so are -0.0 and 0.0."""
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return abs(ours - theirs) <= ABSOLUTE + RELATIVE * abs(theirs)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(close, ours, theirs))
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if "error" in ours and "error" in theirs:
            return ours["error"] == theirs["error"]
        return ours.keys() == theirs.keys() and all(close(ours[key], theirs[key]) for key in ours)
    return ours == theirs


def without_trace(value):
    pairs = value.get("dict") if isinstance(value, dict) else None
    return {"dict": [pair for pair in pairs if pair[0] != "traced"]} if pairs else value


def trace_of(value):
    """The counts of operators in a module's trace, or None where it was not traced."""
    counts = dict(map(tuple, dict((key, item) for key, item in value["dict"])["traced"]["dict"]))
    return None if "error" in counts else counts


class NN(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.theirs = values("torch", folder)
            cls.ours = values("assay.torch", folder)

    def check(self, rows):
        for row in rows:
            with self.subTest(row=row):
                ours, theirs = without_trace(self.ours[row]), without_trace(self.theirs[row])
                self.assertTrue(close(ours, theirs), f"\n  assay: {str(ours)[:1500]}\n  torch: {str(theirs)[:1500]}")

    def test_modules(self):
        rows = nn_rows.MODULES.strip().split("\n")
        for row in rows:  # a row that fails in PyTorch would compare nothing
            self.assertNotIn("error", self.theirs[row], row)
        self.check(rows)

    def test_traces(self):
        compared = 0
        for row in nn_rows.MODULES.strip().split("\n"):
            theirs = trace_of(self.theirs[row])
            if theirs is None or row.startswith(TRACED_OTHERWISE):
                continue
            compared += 1
            with self.subTest(row=row):
                self.assertEqual(trace_of(self.ours[row]), theirs)
        self.assertGreater(compared, 250)

    def test_functions(self):
        rows = nn_rows.FUNCTIONS.strip().split("\n")
        for row in rows:
            self.assertFalse(isinstance(self.theirs[row], dict) and "error" in self.theirs[row], row)
        self.check(rows)

    def test_errors(self):
        rows = nn_rows.ERRORS.strip().split("\n")
        for row in rows:
            self.assertIn("error", self.theirs[row] or {}, row)
        self.check(rows)

    def test_behaviours(self):
        rows = [row.strip() for row in nn_behaviours.BEHAVIOURS]
        for row in rows:
            self.assertFalse(isinstance(self.theirs[row], dict) and "error" in self.theirs[row],
                             f"{row}\n{self.theirs[row]}")
        self.check(rows)


if __name__ == "__main__":
    if subprocess.run([PYTORCH, HAS_MODULES, "torch"], capture_output=True, check=False).returncode != 0:
        sys.exit(SKIPPED)
    unittest.main()
