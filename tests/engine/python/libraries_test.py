"""Other people's model libraries run over assay's torch as over PyTorch: the same outputs, the same graphs of
traces, scripts where PyTorch can, in archives that PyTorch loads.

Takes the libraries that the interpreter has, or that lie in the folders of ASSAY_LIBRARIES, and draws four of
their models: ASSAY_SEED=N repeats a draw, ASSAY_MODELS names models, says how many, or is "all".
"""
import json
import os
import pathlib
import random
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


def answer(launcher, action, folder, *names):
    with tempfile.TemporaryDirectory() as place:
        out = os.path.join(place, "out")
        command = [PYTORCH, *launcher, FOLDER / "libraries_models.py", out, action, folder, *names]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        with open(out) as file:
            return json.load(file)


def drawn(available):
    named = os.environ.get("ASSAY_MODELS", "4").split()
    if named == ["all"]:
        return available
    if not "".join(named).isdigit():
        return named
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(10 ** 9))
    names = random.Random(seed).sample(available, min(int(named[0]), len(available)))
    print(f"ASSAY_SEED={seed} repeats this draw: {' '.join(names)}", flush=True)
    return names


def comparable(ours, theirs):
    """Our lines, less their places where PyTorch's are in Python of its own (a tensor's iterator, its `//`): ours are
    the caller's then."""
    return [re.sub(r" # \S+:\d+:\d+$", "", mine) if " # " not in wanted else mine
            for mine, wanted in zip(ours, theirs)] + ours[len(theirs):]


class Libraries(unittest.TestCase):
    maxDiff = None
    names = ()

    def near(self, ours, theirs):
        self.assertEqual([shape for shape, _ in ours], [shape for shape, _ in theirs])
        for (_, one), (_, other) in zip(ours, theirs):
            bound = 1e-3 * max([1, *map(abs, other)])
            for x, y in zip(one, other):
                self.assertTrue(abs(x - y) <= bound or x == y or (x != x and y != y), (x, y))

    def hold(self, ours, theirs, loaded):
        for way, wanted in theirs.items():
            with self.subTest(way=way):
                if "error" in wanted:  # The library cannot do it with PyTorch either.
                    continue
                self.assertNotIn("error", ours[way], ours[way].get("error"))
                self.near(ours[way]["values"], wanted["values"])
                self.assertEqual(comparable(ours[way].get("text", []), wanted.get("text", [])), wanted.get("text", []))
                if way in loaded:
                    self.near(loaded[way]["values"], wanted["values"])

    def test_models(self):
        self.assertTrue(self.names)
        for name in self.names:
            with self.subTest(model=name), tempfile.TemporaryDirectory() as folder:
                theirs = answer([], "run", folder, name)[name]
                self.assertNotIn("error", theirs["eager"], theirs["eager"].get("error"))
                for archive in os.listdir(folder):
                    os.remove(os.path.join(folder, archive))
                ours = answer(["-m", "assay"], "run", folder, name)[name]
                self.hold(ours, theirs, answer([], "load", folder, name)[name])


if __name__ == "__main__":
    if subprocess.run([PYTORCH, HAS_MODULES, "torch"], capture_output=True, check=False).returncode != 0:
        print("no PyTorch to compare with")
        sys.exit(SKIPPED)
    found = answer([], "list", "")
    if not found:
        print("no model library is installed: name the folder of one in ASSAY_LIBRARIES")
        sys.exit(SKIPPED)
    Libraries.names = drawn(found)
    unittest.main()
