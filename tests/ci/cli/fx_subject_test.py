"""assay check --export fx: torch.fx's graph of a model is the subject, in either host.

Use: fx_subject_test.py ASSAY    (from the repository's root; PyTorch's host only where python3 has PyTorch)
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PYTHON = "/usr/bin/python3"
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
MODELS = """
import torch


class Sized(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.linear(x)).reshape(x.shape[0] * 3, -1)


class Moody(Sized):
    def forward(self, x):
        y = self.linear(x)
        return y * 2 if self.training else torch.relu(y)


class Branching(Sized):
    def forward(self, x):
        return x if x.sum() > 0 else -x
"""
HOSTS = [["--host", "engine"]]


class FxSubject(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "model.py").write_text(MODELS)

    def check(self, name, *words):
        command = [assay, "check", "model.py:" + name, "--input", "x: f32[n, 4]", "--dim", "n=1..9", *words,
                   "--json", "out.json"]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)

    def report(self):
        return json.loads((self.folder / "out.json").read_text())

    def test_sizes_stay_sizes(self):
        for host in HOSTS:
            with self.subTest(host=host):
                done = self.check("Sized", "--export", "fx", "--modes", "eval,train", *host)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(self.report()["model"]["exported_by"], "fx")

    def test_the_mode_is_frozen(self):
        for host in HOSTS:
            with self.subTest(host=host):
                done = self.check("Moody", "--export", "fx", "--modes", "eval,train", *host)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual([found["class"] for found in self.report()["findings"]], ["AS108"])
        done = self.check("Moody", "--export", "script", "--modes", "eval,train", "--host", "engine")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_has_no_graph_is_told(self):
        done = self.check("Branching", "--export", "fx", "--host", "engine")
        self.assertEqual(done.returncode, 2)
        self.assertIn("control flow", done.stderr)

    def test_another_word_is_refused(self):
        done = self.check("Sized", "--export", "onnx")
        self.assertEqual(done.returncode, 2)
        self.assertIn("trace, script or fx", done.stderr)


if __name__ == "__main__":
    assay = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if not subprocess.run([PYTHON, HAS_MODULES, "torch"], capture_output=True).returncode:
        HOSTS.append(["--host", "pytorch", "--python", PYTHON])
    unittest.main()
