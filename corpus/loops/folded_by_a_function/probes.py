import torch


def probes():
    for n in (4, 5, 7):
        yield "agrees", (torch.rand(n, 3) + 0.5,)
    for n in (2, 3, 1, 9, 16, 20):
        yield "silent", (torch.rand(n, 3) + 0.5,)
