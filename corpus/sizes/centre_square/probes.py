import torch


def probes():
    for h, w in ((4, 5), (5, 3), (6, 7), (3, 3), (7, 2), (2, 6)):
        yield "silent", (torch.randn(h, w),)
    yield "agrees", (torch.randn(3, 5),)
    yield "agrees", (torch.randn(3, 6),)
