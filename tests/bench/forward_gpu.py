"""Times forwards on a GPU in assay and in PyTorch, turn about.

    python3 tests/bench/forward_gpu.py [--rounds N] [--device cuda:0] [CASE...]

Needs a GPU, an interpreter whose torch can use it, torchvision, and the program `forward` of a build
with CUDA (ASSAY_FORWARD names it; default build/release/bin/forward). PyTorch makes the archives and
runs the same ones, in inference mode, after enough calls for its executor to settle. Both compute
float32 as float32: PyTorch is told not to use TF32 in convolutions, as it does not in products.

One JSON line per case: median milliseconds of both until the device is done, their ratio, and the
greatest difference of the results relative to the greatest result. `chain` is a thousand operators
on 16 elements, for which the time until the host has issued everything is told, too. PyTorch runs that
without its fuser, which compiles it for longer than a minute. The last line has the median and the
worst ratio.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch
import torchvision

import peer

PROGRAM = os.environ.get("ASSAY_FORWARD", os.path.join(peer.BIN, "forward"))


class Chain(torch.nn.Module):
    def forward(self, x):
        for _ in range(250):
            x = torch.relu(x * 1.01 + 0.5) - 0.25
        return x


def image_model(name):
    module = getattr(torchvision.models, name)(weights=None)
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.1)
            part.running_var.uniform_(0.5, 1.5)
        if isinstance(part, torch.nn.Linear) and not part.weight.any():
            torch.nn.init.normal_(part.weight, std=0.02)  # vit's head begins as zeros
    return module


def encoder_layer():
    return torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)


# Name: module, sizes of the input, float16.
CASES = {
    "resnet50.1": (lambda: image_model("resnet50"), (1, 3, 224, 224), False),
    "resnet50.32": (lambda: image_model("resnet50"), (32, 3, 224, 224), False),
    "resnet50.1.half": (lambda: image_model("resnet50"), (1, 3, 224, 224), True),
    "resnet50.32.half": (lambda: image_model("resnet50"), (32, 3, 224, 224), True),
    "vit_b_16.8": (lambda: image_model("vit_b_16"), (8, 3, 224, 224), False),
    "vit_b_16.8.half": (lambda: image_model("vit_b_16"), (8, 3, 224, 224), True),
    "encoder.8": (encoder_layer, (8, 128, 512), False),
    "encoder.8.half": (encoder_layer, (8, 128, 512), True),
    "chain": (Chain, (16,), False),
}


class Ours:
    """The forward program as a child that runs when it is told to."""

    def __init__(self, archive, data, sizes, device, half):
        words = [PROGRAM, archive, data, *map(str, sizes), "--device", device]
        self.process = subprocess.Popen(words + ["--half"] * half, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the forward program ended: {self.process.wait()}")
        return answer.split()

    def run(self, command="run"):
        return float(self.ask(command)[0])

    def result(self, path):
        self.ask("save " + path)
        with open(path, "rb") as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.float32)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Theirs:
    def __init__(self, archive, example):
        self.module = torch.jit.load(archive, map_location=example.device).eval()
        self.example, self.output = example, None

    def run(self, command="run"):
        with torch.inference_mode():
            torch.cuda.synchronize()
            start = time.perf_counter()
            self.output = self.module(self.example)
            if command == "run":
                torch.cuda.synchronize()
            return time.perf_counter() - start


def make(name, folder):
    """The archive of a case and its input, as float32 elements in a file."""
    build, sizes, half = CASES[name]
    torch.manual_seed(0)
    module, example = build().eval(), torch.randn(*sizes)
    data = os.path.join(folder, name + ".bin")
    with open(data, "wb") as file:
        file.write(example.numpy().tobytes())
    if half:
        module = module.half()
        example = example.half()
    module, example = module.cuda(), example.cuda()
    archive = os.path.join(folder, name + ".pt")
    with torch.no_grad():
        torch.jit.trace(module, example, check_trace=False).save(archive)
    return archive, data, example


def turns(ours, theirs, rounds, command):
    samples = [(ours.run(command), theirs.run(command)) for _ in range(rounds)]
    return [round(statistics.median(side) * 1e3, 4) for side in zip(*samples)]


def compare(name, rounds, device, folder):
    _, sizes, half = CASES[name]
    archive, data, example = make(name, folder)
    torch._C._jit_set_texpr_fuser_enabled(name != "chain")
    ours, theirs = Ours(archive, data, sizes, device, half), Theirs(archive, example.to(device))
    turns(ours, theirs, 10, "run")
    mine, other = turns(ours, theirs, rounds, "run")
    expected = theirs.output.float().cpu().flatten()
    actual = ours.result(os.path.join(folder, "result.bin"))
    difference = ((actual - expected).abs().max() / expected.abs().max()).item()
    record = {"case": name, "assay_ms": mine, "pytorch_ms": other, "ratio": round(mine / other, 3),
              "difference": difference}
    if name == "chain":
        record["issue_ms"], record["pytorch_issue_ms"] = turns(ours, theirs, rounds, "issue")
    ours.close()
    print(json.dumps(record), flush=True)
    return record


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("cases", nargs="*", default=list(CASES))
    options = parser.parse_args()
    torch.backends.cudnn.allow_tf32 = False
    print(json.dumps({"gpu": torch.cuda.get_device_name(), "torch": torch.__version__}), flush=True)
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases:
            try:
                ratios.append(compare(name, options.rounds, options.device, folder)["ratio"])
            except RuntimeError as error:
                print(json.dumps({"case": name, "failed": str(error)[:300]}), flush=True)
    if ratios:
        print(json.dumps({"median_ratio": statistics.median(ratios), "worst_ratio": max(ratios)}))
    sys.exit(len(ratios) < len(options.cases))


if __name__ == "__main__":
    main()
