import torch


def probes():
    for t in (2, 6, 10):
        yield "agrees", (torch.rand(2, t) + 0.5,)
    for t in (4, 5, 7, 8, 12):
        yield "silent", (torch.rand(2, t) + 0.5,)
