import torch


def probes():
    for n, what in ((1, "silent"), (2, "silent"), (3, "agrees"), (5, "agrees")):
        yield what, (torch.randn(2, 3), torch.randn(2, 4), [torch.randn(2, 4) for _ in range(n)])
