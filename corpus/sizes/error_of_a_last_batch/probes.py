import torch


def probes():
    yield "agrees", (torch.randn(4, 3),)
    for n in (1, 2, 3, 5, 8):
        yield "silent", (torch.randn(n, 3),)
