"""assay export: an archive of a Python model, made without PyTorch and run by PyTorch and from numpy.

Use: export_test.py ASSAY PACKAGE    (from the repository's root; PACKAGE: the folder of the built package)
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

WITHOUT_TORCH = str(pathlib.Path("tests/verify/host/without_torch").resolve())
PYTHON = "/usr/bin/python3"
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
MODEL = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor([1.0, 2.0, 4.0]))

    def forward(self, x):
        if x.shape[0] > 2:
            x = x + 1
        return x * self.scale
"""
SMALL, LARGE = [[1.0, 2.0, 4.0]], [[2.0, 4.0, 8.0]] * 3  # Of one row of ones, and of three.


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "model.py").write_text(MODEL)

    def export(self, *words, rows="1..9"):
        environment = dict(os.environ, PYTHONPATH=WITHOUT_TORCH)
        return subprocess.run([assay, "export", "model.py:Net", "--input", "x: f32[n, 3]", "--dim", f"n={rows}",
                               "--python", PYTHON, *words],
                              cwd=self.folder, capture_output=True, text=True, timeout=120, env=environment)

    def answer(self, program, path=""):
        environment = dict(os.environ, PYTHONPATH=path)
        done = subprocess.run([PYTHON, "-c", program], cwd=self.folder, capture_output=True, text=True,
                              env=environment, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def test_a_script_keeps_the_branch(self):
        done = self.export("--script", "-o", "net.pt")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("net.pt: the script of model.py:Net by assay's engine", done.stdout)
        show = ("import assay, numpy; net = assay.load('net.pt'); "
                "print([net(numpy.ones((n, 3), 'float32')).tolist() for n in (1, 3)], "
                "type(net(numpy.ones((1, 3), 'float32'))).__name__)")
        self.assertEqual(self.answer(show, package), f"{[SMALL, LARGE]} ndarray")
        if subprocess.run([PYTHON, HAS_MODULES, "torch"], capture_output=True).returncode:
            self.skipTest("no PyTorch to load the archive")
        show = ("import torch; net = torch.jit.load('net.pt'); "
                "print([net(torch.ones(n, 3)).tolist() for n in (1, 3)])")
        self.assertEqual(self.answer(show), str([SMALL, LARGE]))

    def test_a_trace_tells_what_it_went_by(self):
        done = self.export("-o", "net.pt", rows="1..2")
        self.assertEqual(done.returncode, 0, done.stderr)
        guards = subprocess.run([assay, "inspect", "net.pt", "--show", "guards"], cwd=self.folder,
                                capture_output=True, text=True).stdout
        self.assertIn("x.size(0) <= 2  #", guards)

    def test_what_cannot_be_written_is_told_before(self):
        done = self.export("-o", "missing/net.pt")
        self.assertEqual(done.returncode, 2)
        self.assertIn("missing/net.pt", done.stderr)
        self.assertIn("say where to: -o net.pt", self.export().stderr)


if __name__ == "__main__":
    assay, package = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main()
