import torch


def probes():
    for t in (2, 3, 5, 6, 7, 8, 9, 10, 13, 16):
        yield "silent" if t % 4 == 1 else "agrees", (torch.rand(2, t) + 0.5,)
