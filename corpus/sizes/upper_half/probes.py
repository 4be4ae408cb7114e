import torch


def probes():
    for n in (1, 2, 3, 6, 7, 8, 11, 12):
        yield "agrees", (torch.randn(2, n),)
