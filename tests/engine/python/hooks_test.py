"""Hooks of compiled modules: run around a call, and kept by archives, which PyTorch runs alike."""

import os
import subprocess
import sys
import tempfile
import typing
import unittest

sys.path.insert(0, sys.argv[1])
from assay import torch  # noqa: E402


class Named(torch.nn.Module):
    def forward(self, x: str) -> str:
        return x + "_forward"


def before(self, input: typing.Tuple[str]) -> typing.Tuple[str]:
    return ("before_" + input[0],)


def behind(self, input: typing.Tuple[str], output: str):
    return output + "_of_" + input[0]


def hooked():
    module = Named()
    module.register_forward_pre_hook(before)
    module.register_forward_hook(behind)
    return module


# By Python's own rules for hooks.
EXPECTED = "before_x_forward_of_before_x"


class Hooks(unittest.TestCase):
    def test_run_around_a_call_alone(self):
        compiled = torch.jit.script(hooked())
        self.assertEqual(hooked()("x"), EXPECTED)
        self.assertEqual(compiled("x"), EXPECTED)
        self.assertEqual(compiled.forward("x"), "x_forward")

    def test_are_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hooked.pt")
            torch.jit.script(hooked()).save(path)
            self.assertEqual(torch.jit.load(path)("x"), EXPECTED)
            told = subprocess.run(["/usr/bin/python3", "-c", f"import torch; print(torch.jit.load({path!r})('x'))"],
                                  capture_output=True, text=True)
            if "No module named 'torch'" in told.stderr:
                self.skipTest("needs PyTorch")
            self.assertEqual(told.stdout.strip(), EXPECTED, told.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
