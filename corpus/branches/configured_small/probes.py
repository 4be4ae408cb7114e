import torch


def probes():
    for b, t in ((1, 1), (2, 3), (1, 6), (3, 5)):
        yield "agrees", (torch.randn(b, t, 4),)
