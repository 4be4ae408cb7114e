import torch


def probes():
    for n in (0, 1, 2, 7, 8, 16):
        yield "agrees", (torch.randn(n),)
