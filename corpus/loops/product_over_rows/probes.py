import torch


def probes():
    for n in (1, 2, 3):
        yield "loud", (torch.rand(n, 3) + 0.5,)
    for n in (5, 7, 8):
        yield "silent", (torch.rand(n, 3) + 1.5,)
    yield "agrees", (torch.rand(4, 3),)
    yield "agrees", (torch.rand(4, 2),)
