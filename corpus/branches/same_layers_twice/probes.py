import torch


def probes():

    for n in (1, 2, 3, 5, 7, 8, 9, 11, 13):
        yield "agrees" if n <= 8 else "silent", (torch.randn(n, 4),)
