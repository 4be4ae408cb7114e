"""Which host runs a Python model: --host auto, pytorch, engine and both.

Use: host_test.py ASSAY    (from the repository's root)
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WITHOUT_TORCH = str(pathlib.Path("tests/verify/host/without_torch").resolve())
PYTHON = "/usr/bin/python3"
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
MODEL = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(x).relu() * x.shape[0]
"""
assay = None


def has_torch():
    return subprocess.run([PYTHON, HAS_MODULES, "torch"], capture_output=True).returncode == 0


class HostTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "model.py").write_text(MODEL)

    def check(self, *words, without_torch=False):
        environment = dict(os.environ, **({"PYTHONPATH": WITHOUT_TORCH} if without_torch else {}))
        return subprocess.run([assay, "check", "model.py:Net", "--input", "x: f32[n, 4]", "--dim", "n=1..6",
                               "--python", PYTHON, "--no-database", "-q", "--max-examples", "20", *words],
                              cwd=self.folder, capture_output=True, text=True, timeout=120, env=environment)

    def test_the_engine_runs_a_model_without_pytorch(self):
        done = self.check("--host", "engine", without_torch=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("against host: assay's engine (/usr/bin/python3): 20 of 20 cases", done.stdout)

    def test_auto_takes_the_engine_where_there_is_no_pytorch(self):
        done = self.check(without_torch=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("against host: assay's engine", done.stdout)
        self.assertIn("no PyTorch in /usr/bin/python3: assay's engine (/usr/bin/python3) runs the model", done.stderr)

    def test_interrupted_while_the_model_is_built(self):
        (self.folder / "slow.py").write_text(
            "import pathlib, time\nfrom model import Net\npathlib.Path('begun').touch()\ntime.sleep(20)\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                (self.folder / "begun").unlink(missing_ok=True)
                process = subprocess.Popen([assay, "check", "slow.py:Net", "--input", "x: f32[2, 4]", "--host", "engine",
                                            "--python", PYTHON, "--no-database"], cwd=self.folder, text=True,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                self.addCleanup(process.stderr.close)
                for _ in range(600):
                    if (self.folder / "begun").exists():
                        break
                    time.sleep(0.1)
                process.send_signal(number)
                self.assertEqual(process.wait(60), 128 + number)
                self.assertIn("interrupted before the first case", process.stderr.readline())

    def test_pytorch_alone_is_refused_with_both_remedies(self):
        done = self.check("--host", "pytorch", without_torch=True)
        self.assertEqual(done.returncode, 2)
        for part in ("has no usable torch: ImportError: hidden", "--python", "--host engine"):
            self.assertIn(part, done.stderr)

    def test_another_word_is_refused(self):
        done = self.check("--host", "tensorflow")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--host is auto, pytorch, engine or both, not 'tensorflow'", done.stderr)

    @unittest.skipUnless(has_torch(), "no PyTorch")
    def test_a_model_that_refuses_the_drawn_example_is_exported_with_another(self):
        """Which of the sizes is drawn first is not known here, so one model refuses the odd, one the even."""
        for parity in (0, 1):
            guarded = MODEL.replace("        return", f"""        if len(x) % 2 == {parity}:
            raise ValueError("no such batch")
        return""")
            (self.folder / "model.py").write_text(guarded)
            done = self.check("--host", "engine")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("AS114 lost guard (lenient)", done.stdout)

    def test_a_model_whose_calls_depend_on_each_other_is_called_twice_in_a_row(self):
        """Nobody said so: what a call leaves behind shows in the next one only."""
        counting = MODEL.replace("        return", "        self.calls = getattr(self, 'calls', 0) + 1\n        return")
        for host in ["engine"] + ["pytorch"] * has_torch():
            (self.folder / "model.py").write_text(counting.replace("x.shape[0]", "self.calls"))
            done = self.check("--host", host)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("what a call leaves in the model (calls) changes the next one", done.stderr)
            self.assertIn("AS109 lost state write", done.stdout)
            self.assertEqual(self.check("--host", host, "--calls", "1").returncode, 0)
            recorded = [assay, "record", "model.py:Net", "--input", "x: f32[n, 4]", "--dim", "n=1..6", "--host", host,
                        "--python", PYTHON, "--calls", "1", "-o", "calls.rec"]
            subprocess.run(recorded, cwd=self.folder, check=True, capture_output=True, timeout=120)
            done = self.check("--host", host, "--against", "calls.rec")  # Of one call, and nothing else can be asked.
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            (self.folder / "model.py").write_text(counting)
            done = self.check("--host", host)  # It counts, and no result depends on that.
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_derivative_of_the_model_s_own_is_pytorch_s_to_compare(self):
        """Scripting leaves the reversal out. The outputs agree, the gradients have the other sign."""
        reversing = MODEL.replace("import torch\n", """import torch


class Reversed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return -gradient
""").replace("self.lin(x)", "(x if torch.jit.is_scripting() else Reversed.apply(x))")
        (self.folder / "model.py").write_text(reversing)
        done = self.check("--host", "engine", "--export", "script", "--grad", "on")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("gradients is undecided", done.stdout)
        self.assertIn("Reversed has a derivative of its own, which only PyTorch computes", done.stdout)
        self.assertEqual(self.check("--host", "engine", "--export", "script", "--grad", "off").returncode, 0)
        if has_torch():
            done = self.check("--host", "pytorch", "--export", "script", "--grad", "on")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("AS119 autograd drift (silent)", done.stdout)

    def test_a_file_with_an_enum_is_checked_like_any_other(self):
        """Its members are attributes of a class that cannot be set, not even to what they are."""
        colours = "import enum\n\n\nclass Colour(enum.Enum):\n    RED = 1\n\n\n"
        for host in ["engine"] + ["pytorch"] * has_torch():
            (self.folder / "model.py").write_text(colours + MODEL.replace("x.shape[0]", "Colour.RED.value"))
            done = self.check("--host", host)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_loop_that_infinity_never_leaves_is_given_up_soon(self):
        """By what the trace holds, and not by a clock: half of infinity is infinity."""
        (self.folder / "model.py").write_text(MODEL.replace("        return", """        turns = 0
        while bool(x.abs().max() > 1):
            x, turns = x * 0.5, turns + 1
            if turns == 5000:
                open("far", "w").close()
        return"""))
        done = self.check("--host", "engine")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("AS104 unrolled loop", done.stdout)
        self.assertFalse((self.folder / "far").exists(), "it turned as often as time allowed")

    def test_a_model_that_refuses_everything_is_told_so(self):
        (self.folder / "model.py").write_text(MODEL.replace("        return", """        raise ValueError("never")
        return"""))
        done = self.check("--host", "engine")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("cannot be exported at x f32[", done.stderr)
        self.assertIn("ValueError: never", done.stderr)

    def test_both_tell_whether_they_export_the_same_graph(self):
        done = self.check("--host", "both")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("against host: PyTorch", done.stdout)
        self.assertRegex(done.stderr, r"second opinion: assay's engine \(.*\) exports the same graph, of \d+ steps")

    @unittest.skipUnless(has_torch(), "no PyTorch")
    def test_both_show_where_the_graphs_differ(self):
        text = MODEL.replace("* x.shape[0]", "* (2 if 'assay' in torch.__version__ else 3)")
        (self.folder / "model.py").write_text(text)
        done = self.check("--host", "both")
        self.assertIn("exports another graph:", done.stderr)
        self.assertIn("aten::mul", done.stderr)


if __name__ == "__main__":
    assay = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
