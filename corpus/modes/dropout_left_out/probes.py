import torch


def probes():
    for n in (2, 3, 5):
        yield "agrees", (torch.rand(n, 4) + 0.5,), {"mode": "eval"}
        yield "silent", (torch.rand(n, 4) + 0.5,), {"mode": "train"}
