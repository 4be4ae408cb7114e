"""torch.fx of the engine's Python face against PyTorch's own: graphs, code, results, refusals.

    fx_test.py PACKAGE_FOLDER

Both run fx_answers.py, each in a process of its own. Skips (77) where python3 has no PyTorch.
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).parent
PYTHON = "/usr/bin/python3"
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
# PyTorch 1.13 does not know the byte code of Python 3.11, so that it cannot unpack a proxy there nor call
# functions with *args or keyword-only arguments; it forgets a comma in the code of concrete_pair.
BEYOND_REFERENCE = ["split_apart", "shapes", "Attention", "variadic", "keyword_only", "concrete_pair"]
package = None  # The folder that holds the Python package.


def answers(*words, **environment):
    run = subprocess.run([PYTHON, *words, str(HERE / "fx_answers.py")], capture_output=True, text=True,
                         env=dict(os.environ, **environment))
    if run.returncode:
        raise AssertionError("%s ended with %d:\n%s" % (run.args, run.returncode, run.stderr[-4000:]))
    return json.loads(run.stdout.splitlines()[-1])


class FxTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.theirs, cls.ours = answers(), answers("-m", "assay", PYTHONPATH=package)

    def test_traces_as_pytorch_does(self):
        self.assertGreater(len(self.theirs["cases"]), 60)
        for name, wanted in self.theirs["cases"].items():
            if name in BEYOND_REFERENCE:
                continue
            with self.subTest(case=name):
                self.assertIsInstance(wanted, dict)
                self.assertEqual(self.ours["cases"][name], wanted)

    def test_traces_what_the_reference_cannot_on_this_python(self):
        for name in BEYOND_REFERENCE:
            with self.subTest(case=name):
                self.assertRegex(str(self.theirs["cases"][name]), "raised")
                found = self.ours["cases"][name]
                self.assertIsInstance(found, dict, found)
                self.assertTrue(found["right"], found["output"])

    def test_programs_see_what_they_see_with_pytorch(self):
        for name, wanted in self.theirs["programs"].items():
            with self.subTest(program=name):
                self.assertEqual(self.ours["programs"][name], wanted)


if __name__ == "__main__":
    if subprocess.run([PYTHON, HAS_MODULES, "torch"], capture_output=True).returncode:
        print("skipped: %s has no PyTorch" % PYTHON)
        sys.exit(77)
    package = sys.argv.pop(1)
    unittest.main()
