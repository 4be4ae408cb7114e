import torch


def probes():
    for n in (3, 4):
        yield "agrees", (torch.randn(n),)
    for n in (1, 2, 5, 6, 7, 12):
        yield "silent", (torch.randn(n),)
