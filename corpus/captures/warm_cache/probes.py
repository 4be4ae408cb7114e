import torch


def probes():
    for b, t in ((1, 6), (2, 6), (2, 1), (1, 3), (2, 5), (2, 7), (1, 11)):
        outcome = {6: "agrees", 1: "silent"}.get(t, "loud")
        yield outcome, (torch.rand(b, t, 2) + 0.5,)
