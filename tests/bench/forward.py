"""Times the forward of torchvision's archives in assay and in PyTorch, turn about.

    python3 tests/bench/forward.py [--threads N] [--rounds N] [--form trace|script] [MODEL...]

Needs an interpreter with torch and torchvision (Debian's python3-torch, python3-torchvision) and
build/release/bin/forward. Archives are made once, in the folder that ASSAY_BENCH names (default:
assay-bench in the system's temporary folder). Both sides get the same number of threads; PyTorch
runs its traced module in inference mode, after enough calls for its profiling executor to settle.

One JSON line per model: median and least milliseconds of both, the ratios of the medians (wall and
processor time) and the greatest difference of the results relative to the greatest result. The last
line has the median and the worst ratio. Machines with few processors and busy neighbours disturb
wall time; `cpu_ratio` is steadier where there is one thread.
"""
import argparse
import array
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = os.environ.get("ASSAY_BENCH", os.path.join(tempfile.gettempdir(), "assay-bench"))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("ASSAY_FORWARD", os.path.join(ROOT, "build", "release", "bin", "forward"))
MODELS = ["resnet18", "resnet50", "mobilenet_v2", "squeezenet1_0", "densenet121", "vit_b_16",
          "deeplabv3_resnet50"]
SIZES = ["1", "3", "224", "224"]


def path(name, ending):
    return os.path.join(FOLDER, name + ending)


def make_archives(name):
    import torch
    import torchvision

    if os.path.exists(path(name, ".script.pt")):
        return
    os.makedirs(FOLDER, exist_ok=True)
    segmentation = name.startswith("deeplab")
    models = torchvision.models.segmentation if segmentation else torchvision.models
    options = {"weights": None}
    if segmentation:
        options["weights_backbone"] = None
    torch.manual_seed(0)
    module = getattr(models, name)(**options).eval()
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.1)
            part.running_var.uniform_(0.5, 1.5)
        if isinstance(part, torch.nn.Linear) and not part.weight.any():
            torch.nn.init.normal_(part.weight, std=0.02)  # vit's head begins as zeros
    example = torch.randn(*map(int, SIZES))
    with torch.no_grad():
        traced = torch.jit.trace(module, example, strict=False, check_trace=False)
        traced.save(path(name, ".trace.pt"))
        torch.jit.script(module).save(path(name, ".script.pt"))
    with open(path(name, ".bin"), "wb") as file:
        file.write(example.numpy().tobytes())


class Ours:
    """The forward program as a child that runs when it is told to."""

    def __init__(self, archive, data):
        self.process = subprocess.Popen([PROGRAM, archive, data, *SIZES], stdin=subprocess.PIPE,
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
        target = path("result", ".bin")
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
        self.example = values.reshape(*map(int, SIZES))
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


def compare(name, form, threads, rounds):
    make_archives(name)
    data = path(name, ".bin")
    ours = Ours(path(name, f".{form}.pt"), data)
    theirs = Theirs(path(name, ".trace.pt"), data, threads)
    for _ in range(4):
        ours.run()
        theirs.run()
    samples = [(ours.run(), theirs.run()) for _ in range(rounds)]
    middle = {}
    for i, side in enumerate(("assay", "pytorch")):
        for j, kind in enumerate(("wall", "cpu")):
            middle[side, kind] = statistics.median(s[i][j] for s in samples) * 1e3
        middle[side, "min"] = min(s[i][0] for s in samples) * 1e3
    a, b = ours.result(), theirs.result()
    greatest = max(map(abs, b))
    record = {"model": name, "form": form, "threads": threads, "rounds": rounds}
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
    parser.add_argument("--form", choices=["trace", "script"], default="trace")
    parser.add_argument("models", nargs="*", default=MODELS)
    options = parser.parse_args()
    wanted = str(options.threads)
    if os.environ.get("OMP_NUM_THREADS") != wanted:
        # Pools read these when they start.
        os.environ.update(OMP_NUM_THREADS=wanted, OPENBLAS_NUM_THREADS=wanted)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    records = [compare(m, options.form, options.threads, options.rounds) for m in options.models]
    ratios = [r["ratio"] for r in records]
    print(json.dumps({"median_ratio": statistics.median(ratios), "worst_ratio": max(ratios)}))


if __name__ == "__main__":
    main()
