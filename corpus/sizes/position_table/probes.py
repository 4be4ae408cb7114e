import torch


def probes():
    for t in (1, 2, 6, 7, 8, 16):
        outcome = {7: "agrees", 1: "silent"}.get(t, "loud")
        yield outcome, (torch.randn(2, t, 4),)
    yield "agrees", (torch.randn(1, 7, 4),)
