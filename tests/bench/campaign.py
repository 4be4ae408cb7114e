"""A campaign that traces anew at every case, written as a user would: the same loop under PyTorch and
under assay's torch, cases per second of processor time, and the ratio.

    python3 tests/bench/campaign.py [build/release/bin/assay]
"""

import json
import os
import random
import subprocess
import sys
import time
import warnings

SECONDS = 1.0
ROUNDS = 3


def subjects(torch):
    class Tiny(torch.nn.Module):
        def forward(self, x):
            return torch.relu(x * 2.0 + 1.0)

    nn = torch.nn
    mlp = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
    yield "tiny", Tiny(), [(1, 8), (1, 64)]
    yield "mlp", mlp, [(1, 32), (64, 64)]
    import torchvision
    yield "resnet18 at 64 pixels", torchvision.models.resnet18(weights=None), [(1, 4), (3, 3), (64, 64), (64, 64)]


def case(torch, model, bounds):
    x = torch.randn(*[random.randint(*bound) for bound in bounds])
    traced = torch.jit.trace(model, x, check_trace=False)
    str(traced.inlined_graph)
    assert torch.allclose(traced(x), model(x), atol=1e-4)


def measure():
    import torch
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    rates = {}
    with torch.no_grad():
        for name, model, bounds in subjects(torch):
            model.eval()
            rates[name] = 0
            for _ in range(ROUNDS):
                cases, start = 0, time.process_time()
                while time.process_time() - start < SECONDS:
                    case(torch, model, bounds)
                    cases += 1
                rates[name] = max(rates[name], cases / (time.process_time() - start))
    print(json.dumps(rates))


def main():
    if sys.argv[1:] == ["--measure"]:
        return measure()
    assay = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/assay"
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

    def rates(*command):
        ran = subprocess.run([*command, __file__, "--measure"], capture_output=True, text=True, check=True,
                             env=one_thread)
        return json.loads(ran.stdout.splitlines()[-1])

    ours, theirs = rates(assay, "python"), rates("/usr/bin/python3")
    for name in ours:
        print(f"{name}: {ours[name]:.0f} cases/s, PyTorch {theirs[name]:.0f}, {ours[name] / theirs[name]:.1f} times")


if __name__ == "__main__":
    main()
