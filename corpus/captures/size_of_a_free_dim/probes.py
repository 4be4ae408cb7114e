import torch


def probes():
    for n in (1, 2, 3, 5, 7, 8, 9):
        yield "agrees" if n == 8 else "silent", (torch.rand(3, n) + 0.5,)
