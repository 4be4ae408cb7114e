import torch


def probes():
    for n in (7, 8, 9):
        yield "agrees", (torch.randn(2, n),)
    for n in (10, 12):
        yield "silent", (torch.randn(2, n),)
    for n in (2, 3):
        yield "loud", (torch.randn(2, n),)
