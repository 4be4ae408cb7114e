import torch


def probes():
    for h, w in ((4, 5), (1, 1), (3, 8), (7, 9), (2, 6)):
        yield "agrees", (torch.randn(2, 2, h, w),)
