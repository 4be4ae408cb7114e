"""Cases a second of a campaign on a GPU: `assay check` of two exports of resnet18 at 64 pixels, and a loop in
PyTorch that does no more than run both on drawn images and compare.

    python3 tests/bench/campaign_gpu.py [--cases N] [--device cuda:0]

Needs a GPU, an interpreter whose torch can use it, torchvision, and the program `assay` of a build with
CUDA (ASSAY names it; default build/release/bin/assay). The program's time includes its start, the loading
of both archives and everything that a check does besides (plans, optimized runs, repeated calls); the
loop's does not. Prints one JSON line.
"""
import argparse
import json
import os
import random
import subprocess
import tempfile
import time

import torch
import torchvision

import peer

ASSAY = os.environ.get("ASSAY", os.path.join(peer.BIN, "assay"))


def ours(subject, reference, cases, device):
    words = [ASSAY, "check", subject, "--against", reference, "--input", "x: f32[b, 3, 64, 64]", "--dim",
             "b=1..8", "--devices", device, "--max-examples", str(cases), "--no-database", "--quiet"]
    start = time.perf_counter()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise SystemExit(f"assay check ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return cases / seconds, done.stdout.strip().splitlines()[-1]


def theirs(subject, reference, cases, device):
    left, right = (torch.jit.load(path, map_location=device).eval() for path in (subject, reference))
    draw = random.Random(0)
    with torch.inference_mode():
        for batch in range(1, 9):
            for _ in range(3):  # Both executors settle.
                image = torch.randn(batch, 3, 64, 64, device=device)
                left(image), right(image)
        start = time.perf_counter()
        for _ in range(cases):
            image = torch.randn(draw.randint(1, 8), 3, 64, 64, device=device)
            assert torch.allclose(left(image), right(image), rtol=1e-3, atol=1e-4)
        return cases / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--device", default="cuda:0")
    options = parser.parse_args()
    torch.manual_seed(0)
    module = torchvision.models.resnet18(weights=None).eval()
    with tempfile.TemporaryDirectory() as folder:
        subject, reference = (os.path.join(folder, name) for name in ("traced.pt", "scripted.pt"))
        with torch.no_grad():
            torch.jit.trace(module, torch.randn(1, 3, 64, 64)).save(subject)
        torch.jit.script(module).save(reference)
        mine, verdict = ours(subject, reference, options.cases, options.device)
        other = theirs(subject, reference, options.cases, options.device)
    print(json.dumps({"assay_cases_per_second": round(mine, 1), "pytorch_cases_per_second": round(other, 1),
                      "ratio": round(mine / other, 3), "verdict": verdict}))


if __name__ == "__main__":
    main()
