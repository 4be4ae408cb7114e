import torch


def probes():
    for t in (1, 2, 3, 4, 5, 7, 8):
        outcome = "agrees" if t == 4 else "loud" if t < 4 else "silent"
        yield outcome, (torch.randn(2, t),)
