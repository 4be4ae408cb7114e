import torch


def probes():
    for h, w in ((4, 6), (6, 6), (8, 6), (4, 8), (6, 8), (2, 6), (4, 4), (2, 2)):
        yield "agrees", (torch.randn(2, h, w),)
