import torch


def probes():
    for h, w in ((4, 6), (2, 2), (8, 8), (3, 20), (20, 3), (5, 12)):
        yield "agrees", (torch.randn(1, h, w),)
    for h, w in ((9, 8), (8, 9), (11, 6), (4, 17), (20, 20)):
        yield "silent", (torch.randn(1, h, w),)
