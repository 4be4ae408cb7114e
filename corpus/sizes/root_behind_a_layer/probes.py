import torch


def probes():
    for n in (1, 3, 5):
        yield "agrees", (torch.randn(n, 8),)
