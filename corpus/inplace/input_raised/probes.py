import torch


def probes():
    for n in (1, 2, 5):
        yield "agrees", (torch.randn(n, 3),)
        yield "agrees", (torch.randn(n, 3),), {"calls": 2}
