import torch


def probes():
    yield "agrees", (torch.zeros(2, 4),)
    for n in (1, 2, 3, 5):
        yield "silent", (torch.rand(n, 4) + 1.5,)
