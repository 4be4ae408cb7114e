import torch


def probes():
    direction = torch.tensor([0.5, 2.0])
    for n, m, label in ((2, 3, "agrees"), (1, 1, "loud"), (2, 4, "loud"), (3, 2, "silent"), (4, 1, "silent")):
        yield label, ([torch.randn(n, 2), torch.randn(m, 2)], direction)
