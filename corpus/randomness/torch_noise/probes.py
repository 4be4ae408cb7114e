import torch


def probes():
    for n in (1, 2, 5, 8):
        yield "agrees", (torch.randn(n, 3),)
