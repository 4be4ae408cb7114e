import torch


def probes():

    for n in (1, 3, 4, 6):
        yield "agrees", (torch.randn(n),)
