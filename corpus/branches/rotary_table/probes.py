import torch


def probes():
    for t in (1, 4, 6, 8):
        yield "agrees", (torch.randn(2, t, 4),)
    for t in (9, 11, 12, 16):
        yield "loud", (torch.randn(2, t, 4),)
