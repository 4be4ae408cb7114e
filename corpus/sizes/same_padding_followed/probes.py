import torch


def probes():
    for h, w in ((4, 4), (8, 6), (6, 8), (10, 4), (9, 6), (8, 5), (7, 7), (3, 4)):
        yield "agrees", (torch.randn(1, 1, h, w),)
