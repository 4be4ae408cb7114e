"""Holds torch.jit.trace to PyTorch's: the same models are traced in a process with each, and compared."""
import difflib
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
FOLDER = pathlib.Path(__file__).resolve().parent
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SKIPPED = 77
ASSAY = ["-m", "assay"]


def run(launcher, *arguments):
    return subprocess.run([PYTORCH, *launcher, *map(str, arguments)], check=True, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(PACKAGE)}).stdout


def found(launcher, what, folder):
    out = os.path.join(folder, "found")
    run(launcher, FOLDER / "traced_models.py", what, folder, out)
    with open(out, "rb") as file:
        return pickle.load(file)


def comparable(ours, theirs):
    """The lines of two texts, less what may differ: numbers in mangled names of classes, and the places of
    calls that the library makes, whose files have other lines."""
    texts = [re.sub(r"___torch_mangle_\d+\.", "", text).splitlines() for text in (ours, theirs)]
    for i, (one, other) in enumerate(zip(*texts)):
        own_line = all(re.search(r" # \S*traced_\w+\.py:\d+:\d+$", line) for line in (one, other))
        if not own_line:
            texts[0][i], texts[1][i] = (re.sub(r" # \S+:\d+:\d+$", "", line) for line in (one, other))
    return texts


def close(ours, theirs):
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(close, ours, theirs))
    if ours != ours and theirs != theirs:
        return True
    return ours == theirs or abs(ours - theirs) <= 1e-5 + 1e-5 * abs(theirs)


class Models(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.theirs = found([], "trace", folder)
            cls.ours = found(ASSAY, "trace", folder)  # Writes its archives over PyTorch's.
            cls.loaded = found([], "load", folder)

    def each(self):
        for name, theirs in self.theirs.items():
            with self.subTest(model=name):
                self.assertNotIn("error", theirs)
                self.assertNotIn("error", self.ours[name], self.ours[name].get("error"))
                yield self.ours[name], theirs

    def test_texts_are_pytorchs(self):
        for ours, theirs in self.each():
            self.assertEqual(set(ours["texts"]), set(theirs["texts"]))
            for which, text in theirs["texts"].items():
                mine, wanted = comparable(ours["texts"][which], text)
                difference = "\n".join(difflib.unified_diff(mine, wanted, "assay", "PyTorch", lineterm="", n=1))
                self.assertEqual(mine, wanted, f"{which}\n{difference}")

    def test_results_are_pytorchs(self):
        for ours, theirs in self.each():
            self.assertTrue(close(ours["results"], theirs["results"]))

    def test_warns_where_pytorch_warns(self):
        for ours, theirs in self.each():
            self.assertEqual(ours["warned"], theirs["warned"])

    def test_pytorch_runs_the_archives(self):
        self.assertGreater(len(self.loaded), 20)
        for name, given in self.loaded.items():
            with self.subTest(model=name):
                self.assertNotIn("error", given, given.get("error"))
                self.assertTrue(close(given["results"], self.ours[name]["results"]))


class Origins(unittest.TestCase):
    """What left the graph is kept in the archive."""

    PROGRAM = """
import torch, warnings
warnings.simplefilter("ignore")
class Net(torch.nn.Module):
    def forward(self, x):
        n = len(x)
        half = n // 2
        if half > 1:
            x = x * 2
        if x.sum() > 0:
            x = x + 1
        return x + torch.arange(n).unsqueeze(1) + torch.full((1,), half)
traced = torch.jit.trace(Net(), torch.ones(5, 3), check_trace=False)
traced.save({path!r})
print(traced(torch.ones(5, 3)).sum().item())
"""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.pt")
            cls.result = run(ASSAY, "-c", cls.PROGRAM.format(path=path))
            reader = (f"import torch; files = {{'assay/origins.json': ''}}; "
                      f"torch.jit.load({path!r}, _extra_files=files); "
                      f"text = files['assay/origins.json']; "
                      f"print(text if isinstance(text, str) else text.decode())")
            cls.origins = json.loads(run([], "-c", reader))

    def test_a_length_is_told_over_the_input(self):
        self.assertIn(("x.size(0)", 5), [(o["expression"], o["value"]) for o in self.origins["origins"]])

    def test_conditions_are_guards(self):
        conditions = {guard["condition"]: guard["value"] for guard in self.origins["guards"]}
        self.assertIs(conditions["(x.size(0) // 2) > 1"], True)
        self.assertTrue(any("sum(" in condition for condition in conditions), conditions)

    def test_constants_know_where_they_came_from(self):
        baked = {(b["op"], b["expression"]) for b in self.origins["baked"]}
        self.assertIn(("aten::arange", "x.size(0)"), baked)
        self.assertIn(("aten::full", "x.size(0) // 2"), baked)


class Again(unittest.TestCase):
    """What is kept from one trace to the next, and what is put off until it is asked for."""

    PROGRAM = """
import torch
class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.ones(2))
    def forward(self, x):
        return x + self.step
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x):
        return self.inner(x)
def traced():
    return torch.jit.trace(Net().eval(), torch.ones(2), check_trace=False)
print([traced().original_name for _ in range(2)])
Net.__name__ = "Renamed"
print(traced().original_name)
Net.__name__ = "a.b"
for _ in range(2):
    try:
        traced()
    except RuntimeError as error:
        print("a dot" in str(error))
Net.__name__ = "Net"
fresh = traced()
print(fresh.training, [name for name, _ in fresh.named_modules()], [name for name, _ in fresh.named_buffers()])
other = traced()
other.note = "kept"
handle = other.register_forward_hook(lambda *_: None)
print(other.note, len(other._forward_hooks), other.inner.step.tolist(), list(other.state_dict()))
print(hasattr(other, "missing"), isinstance(other, torch.nn.Module), other(torch.ones(2)).tolist())
"""
    WANTED = ["['Net', 'Net']", "Renamed", "True", "True", "False ['', 'inner'] ['inner.step']",
              "kept 1 [1.0, 1.0] ['inner.step']", "False True [2.0, 2.0]"]

    def test_classes_and_registries(self):
        self.assertEqual(run(ASSAY, "-c", self.PROGRAM).splitlines(), self.WANTED)


class Bounds(unittest.TestCase):
    """A trace of a loop that never ends is given up before it fills the memory."""

    PROGRAM = """
import torch, resource, warnings
warnings.simplefilter("ignore")
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

def halved(x):
    while x.abs().max() > 1:
        x = x * 0.5
    return x

def refused(function, *inputs):
    try:
        torch.jit.trace(function, inputs, check_trace=False)
    except RuntimeError as error:
        print(error)

print(torch.jit.set_trace_limit(2000))
refused(halved, torch.full((1 << 20,), float("inf")))
refused(lambda x: [x.size(0) for _ in iter(int, 1)], torch.ones(2))
print(torch.jit.trace(halved, torch.full((3,), 4.0), check_trace=False)(torch.full((3,), 8.0)).tolist())
"""

    def test_endless_loops_are_refused_and_others_work_on(self):
        default, halved, sizes, result = run(ASSAY, "-c", self.PROGRAM).splitlines()
        self.assertGreaterEqual(int(default), 100000)
        for error in (halved, sizes):
            self.assertIn("limit of 2000", error)
            self.assertIn("set_trace_limit", error)
        self.assertEqual(result, "[2.0, 2.0, 2.0]")


if __name__ == "__main__":
    if subprocess.run([PYTORCH, HAS_MODULES, "torch"], capture_output=True).returncode != 0:
        print("no PyTorch to compare with")
        sys.exit(SKIPPED)
    unittest.main()
