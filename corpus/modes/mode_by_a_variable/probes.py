import torch


def probes():
    for n in (2, 3, 5):
        yield "agrees", (torch.randn(n, 3) + 1,)
        yield "silent", (torch.randn(n, 3) + 1,), {"mode": "train"}
