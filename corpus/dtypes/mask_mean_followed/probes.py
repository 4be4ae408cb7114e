import torch


def probes():
    for n in (1, 3, 4):
        yield "agrees", (torch.randn(n, 4), torch.arange(n) % 2 == 0)
    for n in (2, 5, 6):
        yield "agrees", (torch.randn(n, 4).double(), torch.arange(n) % 2 == 0)
