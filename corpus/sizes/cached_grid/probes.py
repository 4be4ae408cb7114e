import torch


def probes():
    for b, h, w in ((1, 4, 6), (2, 4, 6)):
        yield "agrees", (torch.randn(b, 2, h, w),)
    for b, h, w in ((1, 6, 4), (2, 3, 8), (1, 8, 3), (2, 1, 1)):
        yield "silent", (torch.randn(b, 2, h, w),)
    for b, h, w in ((1, 4, 4), (2, 5, 6), (1, 2, 3), (1, 8, 8)):
        yield "loud", (torch.randn(b, 2, h, w),)
