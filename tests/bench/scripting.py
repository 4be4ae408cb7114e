"""Scripting resnet18 for the first time in a process, under PyTorch and under assay's torch: processor time, and
the ratio. Imports and making the module are not counted.

    python3 tests/bench/scripting.py [build/release/bin/assay]
"""

import os
import statistics
import subprocess
import sys
import time

import peer

ROUNDS = 7


def measure():
    import torch
    import torchvision
    model = torchvision.models.resnet18(weights=None).eval()
    start = time.process_time()
    torch.jit.script(model)
    print(time.process_time() - start)


def main():
    if sys.argv[1:] == ["--measure"]:
        return measure()
    assay = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/assay"
    environment = {**os.environ, **peer.environment(1)}

    def seconds(*command):
        ran = subprocess.run([*command, __file__, "--measure"], capture_output=True, text=True, check=True,
                             env=environment)
        return float(ran.stdout)

    both = [(seconds(assay, "python"), seconds("/usr/bin/python3")) for _ in range(ROUNDS)]
    ours, theirs = map(statistics.median, zip(*both))
    print(f"resnet18: {ours * 1e3:.1f} ms, PyTorch {theirs * 1e3:.1f} ms, {theirs / ours:.1f} times")


if __name__ == "__main__":
    main()
