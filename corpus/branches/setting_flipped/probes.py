import torch


def probes():
    yield "agrees", (torch.zeros(2, 4),)
    yield "agrees", (torch.full((3, 4), 20.0),)
    for n in (1, 2, 3, 5):
        yield "silent", (torch.rand(n, 4) + 0.1,)
