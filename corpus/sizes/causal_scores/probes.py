import torch


def probes():
    for t in (2, 4, 5, 7, 11):
        yield "agrees" if t == 5 else "silent", (torch.randn(2, t, 8),)
