"""torchvision's own Python sources run over assay's torch: the same weights from a seed, the same outputs."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
MODELS = ("resnet18", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_1", "mnasnet0_5",
          "efficientnet_b0", "densenet121", "regnet_y_400mf", "googlenet", "lraspp_mobilenet_v3_large")


def values(path, launcher):
    command = [sys.executable, *launcher, os.path.join(FOLDER, "torchvision_values.py"), path, *MODELS]
    subprocess.run(command, check=True)
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

    def test_outputs(self):
        for name in MODELS:
            with self.subTest(model=name):
                ours, theirs = self.ours[name]["outputs"], self.theirs[name]["outputs"]
                self.assertEqual(list(ours), list(theirs))
                for key in theirs:
                    largest = max(map(abs, theirs[key]))
                    self.near([x / largest for x in ours[key]], [x / largest for x in theirs[key]], key)


if __name__ == "__main__":
    try:
        import torchvision  # noqa: F401
    except ImportError:
        print("skipped: there is no torchvision")
        sys.exit(77)
    unittest.main()
