import torch


def probes():
    for t in (1, 3, 4, 5, 6, 8):
        yield "agrees", (torch.randn(t, 3),)
