import torch


def probes():
    for n in (0, 1, 6, 7, 8):
        yield "agrees", (torch.randn(n),)
    for n in (9, 10, 16):
        yield "silent", (torch.randn(n),)
