import torch


def probes():
    yield "agrees", (torch.randn(3, 1, 4, 4),)
    for b in (1, 2, 4, 5, 6):
        yield "loud", (torch.randn(b, 1, 4, 4),)
