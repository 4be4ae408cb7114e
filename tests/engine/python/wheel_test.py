"""The wheel installs into a fresh environment and runs there, without the folder that it was made of."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve() / "assay"


class Wheel(unittest.TestCase):
    def test_installs_and_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([sys.executable, SOURCE / "engine/python/make_wheel.py", PACKAGE, "0.1.0", folder],
                                  capture_output=True, text=True, check=True).stdout.strip()
            self.assertTrue(made.endswith("-linux_x86_64.whl"), made)
            home = pathlib.Path(folder) / "venv"
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
            packages = next(home.glob("lib/python*/site-packages"))
            # What pip does with a wheel of this kind; it may be absent.
            subprocess.run([sys.executable, "-m", "zipfile", "-e", made, packages], check=True)
            python = home / "bin/python"
            said = subprocess.run([python, "-c", "import assay; print(assay.torch.arange(3) + 1)"],
                                  capture_output=True, text=True, cwd="/")
            self.assertEqual(said.stdout, "tensor([1, 2, 3])\n", said.stderr)
            as_torch = subprocess.run(
                [python, "-m", "assay", "-c", "import torch, assay; print(torch.ones(2), assay.torch is torch)"],
                capture_output=True, text=True, cwd="/")
            self.assertEqual(as_torch.stdout, "tensor([1., 1.]) True\n", as_torch.stderr)


if __name__ == "__main__":
    unittest.main()
