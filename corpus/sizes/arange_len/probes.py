import torch


def probes():
    for n in (0, 1, 2, 5, 6, 7, 8, 11, 13, 14):
        outcome = {7: "agrees", 1: "silent"}.get(n, "loud")
        yield outcome, (torch.randn(n),)
