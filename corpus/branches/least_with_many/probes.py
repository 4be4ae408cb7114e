import torch


def probes():
    for n in (5, 6, 8, 11):
        yield "agrees", (torch.randn(n),)
    for n in (1, 2, 3, 4):
        yield "loud", (torch.randn(n),)
