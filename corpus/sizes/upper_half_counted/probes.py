import torch


def probes():
    for n in (1, 2, 3, 5, 6, 7, 8, 12):
        outcome = "agrees" if n in (6, 7) else "loud" if n < 3 else "silent"
        yield outcome, (torch.randn(2, n),)
