import torch


def probes():
    for t in (1, 2, 6, 7, 8, 16):
        yield "agrees", (torch.randn(2, t, 4),)
    yield "agrees", (torch.randn(1, 7, 4),)
