import torch


def probes():
    for b, h, w in ((1, 4, 5), (2, 5, 4), (3, 1, 1), (1, 6, 2)):
        yield "agrees", (torch.rand(b, 3, h, w),)
