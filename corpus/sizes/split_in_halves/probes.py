import torch


def probes():
    for n in (2, 4, 6, 8, 10, 12):
        outcome = {6: "agrees", 4: "silent"}.get(n, "loud")
        yield outcome, (torch.randn(2, n),)
