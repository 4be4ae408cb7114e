import torch


def probes():
    for n in (0, 1, 7, 8, 9, 12, 17):
        yield "agrees", (torch.randn(n, 4), torch.rand(n))
