import torch


def probes():
    for n in (1, 2, 5):
        yield "agrees", (torch.randn(n, 4),)
    for n in (6, 7, 12):
        yield "silent", (torch.randn(n, 4),)
