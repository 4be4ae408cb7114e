import torch


def probes():
    for n in (1, 3, 6):
        yield "agrees", (torch.randn(n, n + 1),)
        yield "agrees", (torch.zeros(n, n + 1),)
