import torch


def probes():
    yield "agrees", (torch.zeros(2, 3),)
    for n in (1, 2, 4):
        yield "silent", (torch.rand(n, 3) + 1,)
