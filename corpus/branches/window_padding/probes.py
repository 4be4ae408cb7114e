import torch


def probes():
    for t in (1, 3, 4, 6, 7, 8, 9, 12):
        yield "agrees" if t % 4 == 0 else "loud", (torch.randn(2, t, 3),)
