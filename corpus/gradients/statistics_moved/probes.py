import torch


def probes():
    for n in (1, 2, 3, 6):
        yield "agrees", (torch.randn(n, 4),)
        yield "silent", (torch.randn(n, 4),), {"grad": "on"}
