import torch


def probes():
    for t in (1, 2, 4, 5, 6, 7, 9, 12):
        yield "agrees", (torch.rand(2, t) + 0.5,)
