import torch


def probes():
    yield "agrees", (torch.rand(3, 4) + 0.5,)
    yield "agrees", (torch.rand(4, 3) + 0.5,)
    yield "silent", (torch.rand(3, 5) + 0.5,)
    yield "silent", (torch.rand(1, 1) + 0.5,)
