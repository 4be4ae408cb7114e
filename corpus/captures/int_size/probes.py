import torch


def probes():
    for n in range(1, 9):
        yield "agrees" if n == 4 else "silent", (torch.rand(3, n) + 0.5,)
    yield "agrees", (torch.rand(1, 4),)
