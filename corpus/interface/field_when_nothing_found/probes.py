import torch


def probes():
    for n in (1, 4, 6):
        yield "agrees", (torch.rand(n) + 1,)
    for n in (1, 4, 6):
        yield "silent", (torch.rand(n) * 0.8,)
