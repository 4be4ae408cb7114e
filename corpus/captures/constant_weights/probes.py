import torch


def probes():
    for n in (0, 1, 2, 5, 9):
        yield "agrees", (torch.randn(n, 3),)
