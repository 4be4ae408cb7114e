import torch


def probes():
    for n in (1, 3, 6, 9):
        yield "agrees", (torch.rand(n) + 0.5,)
        yield "agrees", (-torch.rand(n) - 0.5,)
