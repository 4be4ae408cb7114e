"""Compares random numbers on a GPU with those that PyTorch draws there from the same seed.

    python3 tests/engine/kernels/cuda/random_beside_pytorch.py [--device cuda:0] [CASE...]

Needs a GPU, an interpreter whose torch can use it, numpy, and the program `assay` of a build with CUDA
(ASSAY names it; default build/release/bin/assay). Each case is a method that draws, compiled by
PyTorch, saved, and run by both after the same seed. A line per case says how many numbers are the
same to the last bit, or how far they are apart; the last line counts the cases. The exit status is 0
if all are the same but for the last bits of functions that libraries compute (log, sin, tan).
"""
import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

import numpy
import torch

ROOT = os.path.abspath(__file__).split("/tests/")[0]
ASSAY = os.environ.get("ASSAY", os.path.join(ROOT, "build", "release", "bin", "assay"))

# Name: an expression of a size `n` and a device `d`, and whether its numbers are exact.
CASES = {
    "rand": ("torch.rand([n], device=d)", True),
    "rand.double": ("torch.rand([n], device=d, dtype=torch.float64)", True),
    "rand.half": ("torch.rand([n], device=d, dtype=torch.float16)", True),
    "rand.twice": ("torch.rand([n], device=d) + 2 * torch.rand([n], device=d)", True),
    "uniform": ("torch.empty([n], device=d).uniform_(-3.0, 5.5)", True),
    "uniform.bfloat16": ("torch.empty([n], device=d, dtype=torch.bfloat16).uniform_(0., 3.)", True),
    "randn": ("torch.randn([n], device=d)", False),
    "randn.double": ("torch.randn([n], device=d, dtype=torch.float64)", False),
    "normal": ("torch.empty([n], device=d).normal_(2.0, 0.5)", False),
    "normal.tensors": ("torch.normal(torch.ones([n], device=d), torch.ones([n], device=d))", False),
    "randint": ("torch.randint(0, 1000, [n], device=d)", True),
    "randint.int32": ("torch.randint(-5, 17, [n], device=d, dtype=torch.int32)", True),
    "randint.2^29": ("torch.randint(0, 1 << 29, [n], device=d)", True),
    "randint.wide": ("torch.randint(-(1 << 40), 1 << 50, [n], device=d)", True),
    "random": ("torch.empty([n], device=d).random_()", True),
    "random.int64": ("torch.empty([n], device=d, dtype=torch.int64).random_()", True),
    "random.uint8": ("torch.empty([n], device=d, dtype=torch.uint8).random_()", True),
    "bernoulli": ("torch.empty([n], device=d).bernoulli_(0.3)", True),
    "bernoulli.tensor": ("torch.bernoulli(torch.rand([n], device=d))", True),
    "bernoulli.transposed": ("torch.bernoulli(torch.rand([8, n], device=d).t())", True),
    "exponential": ("torch.empty([n], device=d).exponential_(1.5)", False),
    "cauchy": ("torch.empty([n], device=d).cauchy_(1.0, 2.0)", False),
    "geometric": ("torch.empty([n], device=d).geometric_(0.2)", False),
    "log_normal": ("torch.empty([n], device=d).log_normal_(0.5, 0.25)", False),
    "randperm": ("torch.randperm(n, device=d)", True),
    "multinomial.1": ("torch.multinomial(torch.rand([n, 7], device=d), 1)", True),
    "multinomial.some": ("torch.multinomial(torch.rand([n, 7], device=d), 4)", True),
    "multinomial.many": ("torch.multinomial(torch.rand([7, n], device=d), 9, True)", True),
    "dropout": ("torch.dropout(torch.ones([n], device=d), 0.3, True)", True),
    "dropout.4": ("torch.dropout(torch.ones([4 * n], device=d), 0.3, True)", True),
    "dropout.half": ("torch.dropout(torch.ones([8 * n], device=d).half(), 0.3, True)", True),
    "dropout.double": ("torch.dropout(torch.ones([2 * n], device=d).double(), 0.3, True)", True),
    "dropout.mask": ("torch.native_dropout(torch.ones([n], device=d), 0.3, True)[1]", True),
    "feature_dropout": ("torch.feature_dropout(torch.ones([n, 3, 2], device=d), 0.3, True)", True),
    "rand_like.channels_last": (
        "torch.rand_like(torch.ones([2, 3, n, 2], device=d).contiguous("
        "memory_format=torch.channels_last))", True),
    "poisson": ("torch.poisson(torch.ones([n], device=d) * 3)", None),
    "after.poisson": (
        "torch.poisson(torch.ones([n], device=d)) * 0 + torch.rand([n], device=d)", True),
}
NUMBERS = itertools.count()
SIZES = [1, 5, 1000, 270337, 3000001]


def method(expression, size, device):
    """A module whose forward() gives the numbers as float64, which holds all of them."""
    # A class of its own for each: PyTorch compiles methods once for a class.
    own = type(f"Draws{next(NUMBERS)}", (torch.nn.Module,), {})
    module = torch.jit.script(own())
    body = re.sub(r"\bn\b", str(size), expression)
    body = re.sub(r"\bdevice=d\b", f'device="{device}"', body)
    module.define(f"def forward(self):\n    return ({body}).to(torch.float64)\n")
    return module


def numbers_of_assay(module, seed, device, folder):
    archive, output = os.path.join(folder, "m.pt"), os.path.join(folder, "out.npz")
    module.save(archive)
    command = [ASSAY, "run", archive, "--device", device, "--seed", str(seed)]
    done = subprocess.run([*command, "--save-outputs", output], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1:]
    return numpy.load(output)["output"], None


def compare(name, size, seed, device, folder):
    expression, exact = CASES[name]
    module = method(expression, size, device)
    torch.manual_seed(seed)
    expected = module().cpu().numpy()
    got, error = numbers_of_assay(module, seed, device, folder)
    if got is None:
        return False, f"failed: {error}"
    if got.shape != expected.shape:
        return False, f"shape {got.shape} instead of {expected.shape}"
    same = int((got == expected).sum())
    if same == got.size:
        return True, f"{same} the same"
    apart = float(numpy.max(numpy.abs(got - expected) / (numpy.abs(expected) + 1)))
    close = exact is False and apart < 1e-5
    return close or exact is None, f"{same} of {got.size} the same, {apart:.3g} apart"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name(arguments.device)}")
    good, total = 0, 0
    with tempfile.TemporaryDirectory() as folder, torch.inference_mode():
        for name in arguments.cases or CASES:
            for seed, size in enumerate(SIZES):
                try:
                    fine, text = compare(name, size, seed, arguments.device, folder)
                except RuntimeError as error:
                    fine, text = False, f"PyTorch: {str(error).splitlines()[0]}"
                good, total = good + fine, total + 1
                print(f"{'ok  ' if fine else 'BAD '} {name} {size}: {text}", flush=True)
    print(f"{good} of {total}")
    return 0 if good == total else 1


if __name__ == "__main__":
    sys.exit(main())
