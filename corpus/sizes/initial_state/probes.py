import torch


def probes():
    for b in (1, 2, 3, 4, 6, 7):
        outcome = {3: "agrees", 1: "silent"}.get(b, "loud")
        yield outcome, (torch.randn(b, 4),)
