import torch


def probes():
    for h in (4, 7, 8, 11, 12, 13, 16, 20):
        yield "agrees", (torch.rand(2, h, 3) + 0.5,)
