import torch


def probes():
    for t in (1, 3, 4, 5, 6, 8):
        outcome = "agrees" if t == 5 else "loud" if t < 5 else "silent"
        yield outcome, (torch.randn(t, 3),)
