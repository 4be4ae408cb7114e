"""Times `assay run` of a small archive from process start to exit, and its peak resident memory.

    python3 tests/bench/startup.py [--rounds N]

Needs an interpreter with torch and build/release/bin/assay. One JSON line: median and least
milliseconds (wanted: a median of at most 30) and the median peak in MB (wanted: at most 40).
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import peer

PROGRAM = os.path.join(peer.BIN, "assay")


MAKE = """
import sys, torch
torch.manual_seed(0)
layers = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
torch.jit.script(layers.eval()).save(sys.argv[1])
"""


def make_archive():
    """In a process of its own: a child's peak begins with what the process that starts it holds."""
    archive = peer.path("small", ".pt")
    if not os.path.exists(archive):
        os.makedirs(peer.FOLDER, exist_ok=True)
        subprocess.run([sys.executable, "-c", MAKE, archive], check=True)
    return archive


def once(command):
    """Wall seconds, and the greatest resident KiB of this one child."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    if status:
        sys.exit(f"{command} failed: {child.stderr.read().decode()}")
    child.stderr.close()
    return wall, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    command = [PROGRAM, "run", make_archive(), "--input", "x: f32[2, 8]"]
    once(command)
    samples = [once(command) for _ in range(options.rounds)]
    wall = [sample[0] * 1e3 for sample in samples]
    print(json.dumps({"command": " ".join(command[1:2]), "rounds": options.rounds,
                      "wall_ms": round(statistics.median(wall), 2), "min_ms": round(min(wall), 2),
                      "peak_mb": round(statistics.median(s[1] for s in samples) / 1024, 2)}))


if __name__ == "__main__":
    main()
