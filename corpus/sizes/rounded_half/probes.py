import torch


def probes():
    for h in (7, 8, 9):
        yield "agrees", (torch.randn(1, 2, h, 3),)
    for h in (1, 2, 3, 5, 12, 15):
        yield "silent", (torch.randn(1, 2, h, 3),)
