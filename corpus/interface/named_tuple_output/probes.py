import torch


def probes():
    for n in (0, 1, 2, 6):
        yield "agrees", (torch.randn(n, 5),)
