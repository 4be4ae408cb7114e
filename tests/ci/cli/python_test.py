"""`assay python`: a script runs as Python would run it, and `torch` is assay's."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ASSAY = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*words, cwd="/", **environment):
    return subprocess.run([ASSAY, "python", *words], capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, **environment})


class Python(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def script(self, text, name="script.py"):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def test_runs_a_script_with_its_arguments(self):
        script = self.script("import sys, torch\nprint(sys.argv[1:], __name__, torch.arange(2) + 1)\n")
        done = run(script, "--help", "-x", "--python")
        self.assertEqual(done.stdout, "['--help', '-x', '--python'] __main__ tensor([1, 2])\n", done.stderr)

    def test_the_script_s_folder_is_searched_and_not_the_current_one(self):
        self.script("value = 3\n", "beside.py")
        other = self.folder / "other"
        other.mkdir()
        (other / "elsewhere.py").write_text("")
        script = self.script("import beside\nprint(beside.value)\ntry:\n    import elsewhere\nexcept ImportError:\n"
                             "    print('not found')\n")
        done = run(script, cwd=other)
        self.assertEqual(done.stdout, "3\nnot found\n", done.stderr)

    def test_exit_codes_and_errors_are_the_script_s(self):
        self.assertEqual(run(self.script("raise SystemExit(7)\n")).returncode, 7)
        failed = run(self.script("import torch\ntorch.ones(2).view(3)\n"))
        self.assertEqual(failed.returncode, 1)
        self.assertIn("line 2", failed.stderr)
        self.assertIn("RuntimeError: shape '[3]' is invalid for input of size 2", failed.stderr)

    def test_modules_and_texts(self):
        self.script("import sys\nprint('module', sys.argv[1:])\n", "runs.py")
        self.assertEqual(run("-m", "runs", "a", cwd=self.folder).stdout, "module ['a']\n")
        self.assertEqual(run("-c", "import torch, sys; print(torch.__name__, sys.argv)", "b").stdout,
                         "torch ['-c', 'b']\n")

    def test_torch_is_assay_s_everywhere(self):
        script = self.script("import torch, assay, assay.torch.nn.functional as F, torch.nn.functional as G\n"
                             "print(assay.torch is torch, F is G, 'assay' in torch.__version__)\n")
        done = run(script)
        self.assertEqual(done.stdout, "True True True\n", done.stderr)

    def test_complaints(self):
        nothing = run()
        self.assertEqual(nothing.returncode, 2)
        self.assertIn("no script is named", nothing.stderr)
        missing = run("--python", "/no/such/python", "x.py")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("cannot start /no/such/python", missing.stderr)
        self.assertIn("SCRIPT", run("--help").stdout)

    def test_a_missing_module_is_named(self):
        done = run("-c", "import torch.lazy")
        self.assertIn("ModuleNotFoundError: assay's torch has no module 'lazy' yet", done.stderr)

    def test_another_interpreter(self):
        done = run("--python", sys.executable, "-c", "import sys; print(sys.executable)")
        self.assertEqual(done.stdout.strip(), sys.executable)


if __name__ == "__main__":
    unittest.main()
