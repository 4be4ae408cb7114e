import torch


def probes():
    for n in (1, 3, 4):
        yield "agrees", (torch.eye(4)[:n] * 5,)
        yield "silent", (torch.randn(n, 4) * 0.1,)
