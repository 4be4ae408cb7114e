import torch


def probes():
    for n in (1, 3, 5):
        yield "agrees", (torch.rand(n, 4) + 0.5,), {"mode": "train"}
        yield "silent", (torch.rand(n, 4) + 0.5,), {"mode": "eval"}
