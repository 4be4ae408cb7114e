import torch


def probes():
    for n in (3, 4, 5, 6, 7, 8, 11, 13):
        yield "agrees" if n % 2 else "silent", (torch.randn(2, n),)
