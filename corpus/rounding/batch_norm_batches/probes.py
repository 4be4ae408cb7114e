import torch


def probes():
    for b in (1, 2, 8, 33):
        yield "agrees", (torch.randn(b, 2, 4, 4),)
