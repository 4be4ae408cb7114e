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
    """Answers each line of input with the cases per second of a round of each subject."""
    import torch
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    with torch.no_grad():
        all_subjects = list(subjects(torch))
        for _, model, _ in all_subjects:
            model.eval()
        for _ in sys.stdin:
            rates = {}
            for name, model, bounds in all_subjects:
                cases, start = 0, time.process_time()
                while time.process_time() - start < SECONDS:
                    case(torch, model, bounds)
                    cases += 1
                rates[name] = cases / (time.process_time() - start)
            print(json.dumps(rates), flush=True)


class Side:
    """A Python that measures, and its best rounds."""

    def __init__(self, *command):
        one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen([*command, __file__, "--measure"], stdin=subprocess.PIPE, text=True,
                                         stdout=subprocess.PIPE, env=one_thread)
        self.best = {}

    def round(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        for name, rate in json.loads(self._process.stdout.readline()).items():
            self.best[name] = max(rate, self.best.get(name, 0))

    def end(self):
        self._process.stdin.close()
        self._process.wait()


def main():
    if sys.argv[1:] == ["--measure"]:
        return measure()
    ours = Side(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/assay", "python")
    theirs = Side("/usr/bin/python3")
    # In turns: what else the machine does meanwhile slows both.
    for _ in range(ROUNDS):
        ours.round()
        theirs.round()
    ours.end()
    theirs.end()
    for name, rate in ours.best.items():
        print(f"{name}: {rate:.0f} cases/s, PyTorch {theirs.best[name]:.0f}, {rate / theirs.best[name]:.1f} times")


if __name__ == "__main__":
    main()
