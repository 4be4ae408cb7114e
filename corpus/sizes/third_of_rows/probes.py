import torch


def probes():

    for n in (1, 2, 3, 5, 7, 11, 12, 13, 14, 17, 20):
        yield "agrees" if n == 1 or 12 <= n <= 14 else "silent", (torch.rand(n) + 0.5,)
