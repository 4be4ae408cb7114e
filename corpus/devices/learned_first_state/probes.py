import torch


def probes():
    for b, t in ((1, 5), (2, 5), (3, 2), (1, 1)):
        yield "agrees", (torch.randn(b, t, 3),)
