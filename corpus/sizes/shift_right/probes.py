import torch


def probes():
    for t in (1, 2, 4, 5, 6, 7, 9, 12):
        outcome = "agrees" if t in (1, 6) else "loud" if t < 6 else "silent"
        yield outcome, (torch.rand(2, t) + 0.5,)
