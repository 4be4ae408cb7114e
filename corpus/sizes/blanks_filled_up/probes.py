import torch


def probes():
    for t in (1, 3, 5, 6):
        yield "loud", (torch.randn(2, t, 3),)
    yield "agrees", (torch.randn(2, 4, 3),)
