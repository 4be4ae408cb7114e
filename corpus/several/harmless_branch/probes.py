import torch


def probes():
    for n in (1, 4, 5, 6):
        yield "agrees", (torch.randn(n),)
    for n in (7, 8, 11, 12):
        yield "silent", (torch.randn(n),)
