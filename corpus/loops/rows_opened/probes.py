import torch


def probes():
    for n in (5, 6, 7, 9):
        yield "silent", (torch.randn(n, 3),)
    yield "agrees", (torch.randn(4, 3),)
    yield "agrees", (torch.randn(4, 1),)
