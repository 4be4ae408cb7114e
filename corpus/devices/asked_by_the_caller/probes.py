import torch


def probes():
    for n in (1, 3, 5):
        yield "agrees", (torch.randn(n, 2),)
        yield "loud", (torch.empty(n, 2, device="meta"),)
