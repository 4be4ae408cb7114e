import torch


def probes():
    for n in (1, 3, 4, 7, 8, 12):
        yield "agrees", (torch.randn(2, n),)
