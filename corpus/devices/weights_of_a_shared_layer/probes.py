import torch


def probes():
    for h, w in ((1, 4), (3, 4), (5, 2)):
        yield "agrees", (torch.rand(3, h, w),)
        yield "loud", (torch.empty(3, h, w, device="meta"),)
