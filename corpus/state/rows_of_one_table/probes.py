import torch


def probes():
    for b in (1, 2, 3, 5):
        yield "agrees", (torch.randn(b, 4, 3),)
