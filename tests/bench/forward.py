"""Times the forward of torchvision's archives in assay and in PyTorch, turn about.

    python3 tests/bench/forward.py [--threads N] [--rounds N] [--export traced,scripted] [MODEL...]

Needs an interpreter with torch and torchvision (Debian's python3-torch, python3-torchvision) and
build/release/bin/forward. Archives are made once, in the folder that ASSAY_BENCH names (default:
assay-bench in the system's temporary folder). Both sides get the same number of threads; PyTorch
runs its traced module in inference mode, after enough calls for its profiling executor to settle.

One JSON line per model and export: median and least milliseconds of both, the ratios of the medians
(wall and processor time) and the greatest difference of the results relative to the greatest result.
The last line has the median and the worst ratio, and the library of PyTorch's matrix products.
Machines with few processors and busy neighbours disturb wall time; `cpu_ratio` is steadier where
there is one thread.
"""
import argparse
import array
import json
import os
import statistics
import subprocess
import sys
import time

import peer

PROGRAM = os.environ.get("ASSAY_FORWARD", os.path.join(peer.BIN, "forward"))
MODELS = ["resnet18", "resnet50", "mobilenet_v2", "squeezenet1_0", "densenet121", "vit_b_16",
          "deeplabv3_resnet50"]


class Ours:
    """The forward program as a child that runs when it is told to."""

    def __init__(self, archive, data):
        self.process = subprocess.Popen([PROGRAM, archive, data, *peer.SIZES], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("the forward program ended: " + str(self.process.wait()))
        return answer.split()

    def run(self):
        return tuple(map(float, self.ask("run")))

    def result(self):
        target = peer.path("result", ".bin")
        self.ask("save " + target)
        with open(target, "rb") as file:
            return array.array("f", file.read())


class Theirs:
    """PyTorch's module in this process."""

    def __init__(self, archive, data, threads):
        import torch

        torch.set_num_threads(threads)
        self.torch = torch
        self.module = torch.jit.load(archive).eval()
        with open(data, "rb") as file:
            values = torch.frombuffer(bytearray(file.read()), dtype=torch.float32)
        self.example = values.reshape(*map(int, peer.SIZES))
        self.output = None

    def run(self):
        with self.torch.inference_mode():
            wall, cpu = time.perf_counter(), time.process_time()
            self.output = self.module(self.example)
            return time.perf_counter() - wall, time.process_time() - cpu

    def result(self):
        output = self.output
        if isinstance(output, dict):
            output = next(iter(output.values()))
        return array.array("f", output.contiguous().numpy().tobytes())


def turn(side):
    """One run. The threads of a pool go on spinning for a while; let them rest before the other side's
    turn, or they take the processors it is measured on."""
    times = side.run()
    time.sleep(0.1)
    return times


def compare(name, form, threads, rounds):
    peer.make_archives(name)
    data = peer.path(name, ".bin")
    ours = Ours(peer.archive(name, form), data)
    theirs = Theirs(peer.archive(name, "traced"), data, threads)
    for _ in range(4):
        turn(ours)
        turn(theirs)
    samples = [(turn(ours), turn(theirs)) for _ in range(rounds)]
    middle = {}
    for i, side in enumerate(("assay", "pytorch")):
        for j, kind in enumerate(("wall", "cpu")):
            middle[side, kind] = statistics.median(s[i][j] for s in samples) * 1e3
        middle[side, "min"] = min(s[i][0] for s in samples) * 1e3
    a, b = ours.result(), theirs.result()
    greatest = max(map(abs, b))
    record = {"model": name, "export": form, "threads": threads, "rounds": rounds}
    for side in ("assay", "pytorch"):
        for kind in ("wall", "min", "cpu"):
            record[f"{side}_{kind}_ms"] = round(middle[side, kind], 3)
    record["ratio"] = round(middle["assay", "wall"] / middle["pytorch", "wall"], 3)
    record["cpu_ratio"] = round(middle["assay", "cpu"] / middle["pytorch", "cpu"], 3)
    record["difference"] = max(abs(x - y) for x, y in zip(a, b)) / greatest
    record["same_count"] = len(a) == len(b)
    print(json.dumps(record), flush=True)
    ours.process.stdin.close()
    ours.process.wait()
    return record


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--export", default=",".join(peer.FORMS),
                        help="which archives assay runs: traced, scripted, or both")
    parser.add_argument("models", nargs="*", default=MODELS)
    options = parser.parse_args()
    peer.settle(options.threads)
    records = [compare(model, form, options.threads, options.rounds)
               for model in options.models for form in options.export.split(",")]
    ratios = [r["ratio"] for r in records]
    print(json.dumps({"median_ratio": statistics.median(ratios), "worst_ratio": max(ratios),
                      "pytorch_blas": peer.blas()}))


if __name__ == "__main__":
    main()
