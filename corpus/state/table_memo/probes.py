import torch


def probes():
    for n in (1, 4, 5, 9):
        yield "agrees", (torch.randn(n),)
        yield "agrees", (torch.randn(n),), {"calls": 3}
