import torch


def probes():
    x = torch.randn(4, 2)
    yield "agrees", (x, torch.tensor([2, 0, 0, 2]))
    yield "agrees", (x, torch.tensor([0, 0, 0, 0]))
    yield "silent", (x, torch.tensor([0, 1, 2, 2]))
    yield "silent", (x, torch.tensor([1, 1, 1, 1]))
    yield "silent", (x, torch.tensor([1, 0, 0, 0]))
