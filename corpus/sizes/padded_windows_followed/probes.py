import torch


def probes():
    for h, w in ((6, 8), (6, 5), (8, 8), (11, 8), (12, 12), (5, 7)):
        yield "agrees", (torch.randn(2, 2, h, w),)
