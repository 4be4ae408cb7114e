import torch


def probes():
    for h, w in ((4, 6), (6, 6), (8, 6), (4, 8), (4, 10), (6, 8), (2, 6), (4, 4), (4, 2)):
        outcome = "agrees" if (h, w) == (4, 6) else "loud" if h < 4 or w < 6 else "silent"
        yield outcome, (torch.randn(2, h, w),)
