import torch


def probes():
    for n in (1, 2, 3, 8):
        yield "agrees", (torch.randn(n, 4),)
