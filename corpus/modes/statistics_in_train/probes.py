import torch


def probes():
    for n in (2, 3, 5, 8):
        yield "agrees", (torch.randn(n, 4),), {"mode": "train"}
