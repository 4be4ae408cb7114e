import torch


def probes():
    for n in (3, 5, 6, 7, 9):
        yield "agrees", (torch.randn(n),)
    for n in (1, 2, 4):
        yield "loud", (torch.randn(n),)
