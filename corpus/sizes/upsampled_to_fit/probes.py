import torch


def probes():
    for h, w in ((7, 7), (11, 7), (7, 11)):
        yield "agrees", (torch.randn(1, 2, h, w),)
    for h, w in ((8, 7), (7, 9), (6, 5)):
        yield "loud", (torch.randn(1, 2, h, w),)
