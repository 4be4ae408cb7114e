"""Checks random rounding as a measure of conditioning, on networks as people have them.

    python3 tests/bench/conditioning.py [NETWORK...]

Needs an interpreter with torch and torchvision, and build/release/bin/conditioning. Prints for each
network the largest error of assay and of PyTorch against a float64 run, and the largest distance of
the two, as multiples of what six randomly rounded runs move the element by, plus one unit in its last
place. Differences are taken for rounding up to 4 times the spread (verify/compare/spread.h).
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

import torch
from torch import nn

import peer

PROGRAM = os.path.join(peer.BIN, "conditioning")


class Attention(nn.Module):
    """Scores with a causal mask of the smallest number beside them."""

    def __init__(self):
        super().__init__()
        self.q, self.k = nn.Linear(32, 32), nn.Linear(32, 32)

    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-1, -2) / 5.65
        return scores.masked_fill(torch.ones_like(scores).tril() == 0, -3e38)


class LogSoftmax(nn.Module):
    def forward(self, x):
        return torch.log_softmax(x * 1000, -1)


class Centered(nn.Module):
    def forward(self, x):
        return x - x.mean(-1, keepdim=True)


def small():
    """Name -> network, input."""
    torch.manual_seed(0)
    rows = torch.randn(8, 64)
    return {
        "batch norm of zeros": (nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)), torch.zeros(2, 3, 16, 16)),
        "instance norm of a constant": (nn.Sequential(nn.Conv2d(3, 4, 1), nn.InstanceNorm2d(4)), torch.ones(2, 3, 8, 8)),
        "masked attention scores": (Attention(), torch.randn(2, 12, 32)),
        "20 layers of ELU": (nn.Sequential(*[m for _ in range(20) for m in (nn.Linear(64, 64), nn.ELU())]), rows),
        "log_softmax of large numbers": (LogSoftmax(), rows),
        "centered rows": (Centered(), rows + 1000),
        "layer norm": (nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64)), rows),
        "transformer encoder": (nn.TransformerEncoderLayer(64, 4, 128, batch_first=True), torch.randn(2, 12, 64)),
        "lstm": (nn.LSTM(16, 32, 2, batch_first=True), torch.randn(2, 40, 16)),
    }  # fmt: skip


def large(name):
    import torchvision

    torch.manual_seed(0)
    make = torchvision.models.segmentation if "deeplab" in name else torchvision.models
    return getattr(make, name)(weights=None, weights_backbone=None) if "deeplab" in name else getattr(make, name)(
        weights=None), torch.rand(1, 3, 224, 224)  # fmt: skip


LARGE = ["resnet18", "resnet50", "mobilenet_v2", "squeezenet1_0", "densenet121", "vit_b_16", "convnext_tiny",
         "efficientnet_b0", "swin_t", "deeplabv3_resnet50"]  # fmt: skip


def first(output):
    while not torch.is_tensor(output):
        output = next(iter(output.values())) if isinstance(output, dict) else output[0]
    return output


def measure(network, x):
    network = network.eval()
    for p in network.parameters():
        p.requires_grad_(False)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        path = lambda name: os.path.join(folder, name)
        torch.jit.trace(network, x, strict=False, check_trace=False).save(path("a.pt"))
        first(copy.deepcopy(network).double()(x.double())).contiguous().numpy().tofile(path("exact"))
        first(network(x)).contiguous().numpy().tofile(path("peer"))
        x.contiguous().numpy().tofile(path("input"))
        command = [PROGRAM, path("a.pt"), path("input"), path("exact"), path("peer"), *map(str, x.shape)]
        done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().split("\n")[0]


def main():
    wanted, tests = sys.argv[1:], small()
    print("%-30s %10s %8s %8s %8s" % ("network", "elements", "assay", "PyTorch", "apart"))
    for name in list(tests) + LARGE:
        if wanted and name not in wanted:
            continue
        found = measure(*(tests[name] if name in tests else large(name)))
        if isinstance(found, str):
            print("%-30s %s" % (name, found))
        else:
            print("%-30s %10d %8.2f %8.2f %8.2f" % (name, found["elements"], found["assay"], found["peer"], found["apart"]))


main()
