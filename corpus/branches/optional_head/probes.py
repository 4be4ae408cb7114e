import torch


def probes():
    for n in (0, 1, 3, 8):
        yield "agrees", (torch.randn(n, 4),)
