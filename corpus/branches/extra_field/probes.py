import torch


def probes():
    for n in (1, 2, 3, 4):
        yield "agrees", (torch.randn(n, 3),)
    for n in (5, 6, 9):
        yield "silent", (torch.randn(n, 3),)
