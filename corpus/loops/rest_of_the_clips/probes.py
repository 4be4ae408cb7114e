import torch


def probes():
    for n in (1, 2, 3, 4, 6):
        yield "agrees" if n == 3 else "loud", (torch.randn(n, 4),)
