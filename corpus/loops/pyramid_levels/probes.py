import torch


def probes():
    for n in (2, 4, 7, 8, 11, 15, 16, 20):
        outcome = "agrees" if 8 <= n < 16 else "loud" if n < 8 else "silent"
        yield outcome, (torch.randn(2, n),)
