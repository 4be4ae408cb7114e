import torch


def probes():
    for t in (1, 2, 5, 6, 7, 8, 11, 13, 16):
        outcome = {7: "agrees", 1: "silent"}.get(t, "loud")
        for b in (1, 2):
            yield outcome, (torch.randn(b, t, 4),)
