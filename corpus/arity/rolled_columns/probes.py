import torch


def probes():
    for m in (1, 2, 3, 4, 5, 7, 8):
        yield "agrees", (torch.randn(3, m),)
