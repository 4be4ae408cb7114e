"""A campaign that traces anew at every case, written as a user would: the graph is compared with the first
one, without the sizes and the numbers in class names in which any two of them differ, and the results with
the model's. The same cases under PyTorch and under assay's torch, cases per second of processor time, and the
ratio. Both take turns, so that a machine that others use, too, is as fast for the one as for the other.

    python3 tests/bench/campaign.py [build/release/bin/assay]
"""

import os
import random
import re
import subprocess
import sys
import time
import warnings

import peer

SECONDS = 1.0
ROUNDS = 3
CASES = 16  # The same ones again and again: how long one takes depends on its sizes.


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


def graph_text(torch, traced):
    graph = traced.inlined_graph.copy()
    torch._C._jit_pass_erase_shape_information(graph)
    return re.sub(r"___torch_mangle_\d+\.", "", str(graph))


def case(torch, model, sizes, graph):
    """`graph`: the text of the first one's; gives that where it is None."""
    x = torch.randn(*sizes)
    traced = torch.jit.trace(model, x, check_trace=False)
    text = graph_text(torch, traced)
    assert graph is None or text == graph
    torch.testing.assert_close(traced(x), model(x))
    return text


def spread(low, high):
    """As many sizes as there are cases, each of the range as often as any other."""
    count = high - low + 1
    return [low + k * max(count, CASES) // CASES % count for k in range(CASES)]


def rate(torch, model, bounds):
    """Cases per second of processor time."""
    draw = random.Random(0)
    all_sizes = list(zip(*(draw.sample(spread(*bound), CASES) for bound in bounds)))
    graph = case(torch, model, all_sizes[0], None)
    cases, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        for sizes in all_sizes:
            case(torch, model, sizes, graph)
        cases += CASES
    return cases / (time.process_time() - start)


def measure(of_pytorch):
    """Measures a subject at every line that comes."""
    import torch
    if of_pytorch:
        peer.blas()  # Warns of a slow one.
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    with torch.no_grad():
        for name, model, bounds in subjects(torch):
            model.eval()
            for _ in range(ROUNDS):
                print(name, flush=True)
                sys.stdin.readline()
                print(rate(torch, model, bounds), flush=True)
    print("")


def main():
    if sys.argv[1:2] == ["--measure"]:
        return measure(sys.argv[2] == "pytorch")
    assay = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/assay"
    environment = {**os.environ, **peer.environment(1)}

    def start(whose, *command):
        return subprocess.Popen([*command, __file__, "--measure", whose], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True, env=environment)

    def said(process):
        return process.stdout.readline().rstrip("\n")

    both = [start("assay", assay, "python"), start("pytorch", "/usr/bin/python3")]
    best = {}
    while name := [said(process) for process in both][0]:
        for k, process in enumerate(both):
            process.stdin.write("go\n")
            process.stdin.flush()
            best.setdefault(name, [0, 0])[k] = max(best.get(name, [0, 0])[k], float(said(process)))
    for name, (ours, theirs) in best.items():
        print(f"{name}: {ours:.0f} cases/s, PyTorch {theirs:.1f}, {ours / theirs:.1f} times")
    return max(process.wait() for process in both)


if __name__ == "__main__":
    sys.exit(main())
