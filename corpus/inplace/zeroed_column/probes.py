import torch


def probes():
    for n in (1, 2, 4):
        yield "silent", (torch.randn(n, 3),)
    yield "agrees", (torch.full((2, 3), float("-inf")),)
