import torch


def probes():
    for n in (2, 3):
        yield "agrees", (torch.randn(n, 4),), {"mode": "train"}
        yield "agrees", (torch.randn(n, 4),), {"mode": "train", "calls": 3}
