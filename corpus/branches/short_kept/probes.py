import torch


def probes():
    for b, t in ((1, 1), (2, 3)):
        yield "agrees", (torch.randn(b, t, 2),)
    for b, t in ((1, 4), (2, 6), (1, 8)):
        yield "silent", (torch.randn(b, t, 2),)
