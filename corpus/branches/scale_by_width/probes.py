import torch


def probes():

    for n in (2, 5, 6, 7, 8, 9, 11, 13, 17):
        yield "agrees" if n <= 8 else "silent", (torch.randn(2, n),)
