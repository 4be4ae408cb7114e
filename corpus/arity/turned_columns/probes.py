import torch


def probes():
    for m in (1, 2, 3, 4, 5, 7, 8):
        yield "agrees" if m == 4 else "loud", (torch.randn(3, m),)
