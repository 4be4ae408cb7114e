import torch


def probes():
    for n in (0, 1, 2, 6, 7, 8, 14):
        yield "agrees", (torch.randn(n),)
