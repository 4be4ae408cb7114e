import torch


def probes():
    for t in (1, 3, 5, 8):
        yield "agrees", (torch.randn(2, t, 4),)
