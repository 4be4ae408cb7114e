import torch


def probes():
    yield "silent", (torch.zeros(0, 4),)
    for n in (1, 2, 3, 8):
        yield "agrees", (torch.randn(n, 4),)
