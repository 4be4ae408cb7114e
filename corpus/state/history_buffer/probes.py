import torch


def probes():
    for n in (1, 3):
        yield "agrees", (torch.randn(n, 4),)
        yield "agrees", (torch.randn(n, 4),), {"calls": 2}
        yield "agrees", (torch.randn(n, 4),), {"calls": 3}
