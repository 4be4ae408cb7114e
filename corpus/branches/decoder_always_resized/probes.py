import torch


def probes():
    for n in (2, 3, 5, 7, 8, 10, 11):
        yield "agrees", (torch.randn(1, 2, n),)
