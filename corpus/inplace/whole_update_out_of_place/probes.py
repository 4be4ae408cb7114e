import torch


def probes():
    for n in (1, 2, 3, 5):
        yield "agrees", (torch.randn(n, 4), torch.randn(n, 4))
