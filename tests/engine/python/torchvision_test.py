"""torchvision's own Python sources run over assay's torch: the same weights from a seed, the same outputs;
traced and scripted, the same graphs, in archives that PyTorch loads.

The latter takes one small model, since it is long: ASSAY_MODELS="resnet18 ssd300_vgg16" names models,
ASSAY_MODELS=all takes all, ASSAY_MODELS=3 draws three (ASSAY_SEED=N repeats a draw).
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()  # The folder that holds the package.
FOLDER = pathlib.Path(__file__).resolve().parent
PYTORCH = os.environ.get("ASSAY_PYTHON", "/usr/bin/python3")
HAS_MODULES = pathlib.Path(__file__).resolve().parents[2] / "has_modules.py"
SKIPPED = 77
MODELS = ("resnet18", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_1", "mnasnet0_5",
          "efficientnet_b0", "densenet121", "regnet_y_400mf", "googlenet", "lraspp_mobilenet_v3_large")


def drawn():
    """The models of this run."""
    from torchvision_list import MODELS as known
    named = os.environ.get("ASSAY_MODELS", "squeezenet1_0").split()
    if not "".join(named).isdigit():
        return list(known) if named == ["all"] else named
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(10 ** 9))
    print(f"ASSAY_SEED={seed} repeats this draw", flush=True)
    return random.Random(seed).sample(list(known), int(named[0]))


def values(path, launcher):
    command = [PYTORCH, *launcher, FOLDER / "torchvision_values.py", path, *MODELS]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
    with open(path) as read:
        return json.load(read)


class Torchvision(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.theirs = values(os.path.join(folder, "theirs"), [])
            cls.ours = values(os.path.join(folder, "ours"), ["-m", "assay"])

    def near(self, ours, theirs, what):
        for one, other in zip(ours, theirs, strict=True):
            self.assertLessEqual(abs(one - other), 1e-3 * abs(other) + 2e-3, what)

    def test_state(self):
        for name in MODELS:
            ours, theirs = self.ours[name]["state"], self.theirs[name]["state"]
            self.assertEqual(list(ours), list(theirs), name)
            for key, (shape, *numbers) in theirs.items():
                with self.subTest(model=name, key=key):
                    self.assertEqual(ours[key][0], shape)
                    self.near(ours[key][1:], numbers, key)

    def test_operators(self):
        self.assertEqual(list(self.ours["operators"]), list(self.theirs["operators"]))
        for name, theirs in self.theirs["operators"].items():
            with self.subTest(operator=name):
                self.near(self.ours["operators"][name], theirs, name)

    def test_outputs(self):
        for name in MODELS:
            with self.subTest(model=name):
                ours, theirs = self.ours[name]["outputs"], self.theirs[name]["outputs"]
                self.assertEqual(list(ours), list(theirs))
                for key in theirs:
                    largest = max(map(abs, theirs[key]))
                    self.near([x / largest for x in ours[key]], [x / largest for x in theirs[key]], key)


class Graphs(unittest.TestCase):
    """One model after the other, since archives are large."""

    def answer(self, launcher, folder, action, way, name):
        path = os.path.join(folder, action)
        command = [PYTORCH, *launcher, FOLDER / "torchvision_models.py", path, folder, action, way, name]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        with open(path) as read:
            return json.load(read)

    def same(self, ours, theirs):
        self.assertEqual([shape for shape, _ in ours], [shape for shape, _ in theirs])
        for (_, one), (_, other) in zip(ours, theirs):
            self.assertLessEqual(max(abs(x - y) / max(1, abs(y)) for x, y in zip(one, other)), 1e-3)

    def hold(self, ours, theirs):
        """Ours to theirs, each part by itself."""
        self.assertNotIn("error", ours)
        self.assertEqual(ours["weights"], theirs["weights"])
        for what, one, other in (("output", ours["output"], theirs["output"]),
                                 ("archive", theirs["loaded"], theirs["output"])):
            with self.subTest(what=what):
                self.same(one, other)
        self.assertEqual(list(ours["texts"]), list(theirs["texts"]))
        for what, text in theirs["texts"].items():
            with self.subTest(what=what):
                self.assertEqual(ours["texts"][what], text)

    def test_models(self):
        for name in drawn():
            for way in ("trace", "script"):
                with self.subTest(model=name, way=way), tempfile.TemporaryDirectory() as folder:
                    ours = self.answer(["-m", "assay"], folder, "save", way, name)
                    theirs = self.answer([], folder, "load", way, name)
                    if "error" not in theirs:  # Else torchvision cannot do it with PyTorch either.
                        self.hold(ours, theirs)


if __name__ == "__main__":
    if subprocess.run([PYTORCH, HAS_MODULES, "torchvision"], capture_output=True, check=False).returncode != 0:
        sys.exit(SKIPPED)
    unittest.main()
