"""Parts of torch beside PyTorch: the programs *_values.py run under both, and what they write is compared."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
FOLDER = pathlib.Path(__file__).parent
SKIPPED = 77


def values(program, command, package):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "values")
        subprocess.run([PYTORCH, *command, str(FOLDER / program), path], check=True,
                       env={**os.environ, "PYTHONPATH": package})
        with open(path) as file:
            return json.load(file)


def near(ours, theirs):
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and list(ours) == list(theirs) and all(near(ours[key], theirs[key]) for key in theirs)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(near, ours, theirs))
    if isinstance(theirs, float):
        return isinstance(ours, float) and (ours == theirs or abs(ours - theirs) <= 1e-6 + 2e-6 * abs(theirs))
    return ours == theirs


class Values(unittest.TestCase):
    def compare(self, program):
        ours, theirs = values(program, ["-m", "assay"], str(PACKAGE)), values(program, [], "")
        self.assertEqual(list(ours), list(theirs))
        for name, expected in theirs.items():
            pairs = ({name: (ours[name], expected)} if not isinstance(expected, dict) or not isinstance(ours[name], dict)
                     else {f"{name}: {part}": (ours[name].get(part), value) for part, value in expected.items()})
            for part, (own, other) in pairs.items():
                with self.subTest(part):
                    self.assertTrue(near(own, other), f"{own}\nand in PyTorch\n{other}")

    def test_distributions(self):
        self.compare("distribution_values.py")

    def test_parts(self):
        self.compare("part_values.py")


if __name__ == "__main__":
    if subprocess.run([PYTORCH, HAS_MODULES, "torch"], env={**os.environ, "PYTHONPATH": ""},
                      stderr=subprocess.DEVNULL).returncode:
        sys.exit(SKIPPED)
    unittest.main()
