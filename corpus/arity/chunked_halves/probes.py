import torch


def probes():
    for n in (2, 4, 6, 8, 10, 12):
        yield "agrees", (torch.randn(2, n),)
