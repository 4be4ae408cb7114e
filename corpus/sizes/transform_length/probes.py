import torch


def probes():
    for n in (9, 12, 16):
        yield "agrees", (torch.randn(3, n),)
    for n in (8, 17, 33):
        yield "silent", (torch.randn(3, n),)
