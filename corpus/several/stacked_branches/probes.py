import torch


def probes():
    for n in (1, 4):
        yield "agrees", (torch.randn(n),)
    for n in (5, 6, 7, 8, 9, 11, 12):
        yield "silent", (torch.randn(n),)
