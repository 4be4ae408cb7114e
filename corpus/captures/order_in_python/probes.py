import torch


def probes():
    yield "agrees", (torch.randn(3, 4), torch.tensor([5, 8, 2]))
    yield "silent", (torch.randn(3, 4), torch.tensor([1, 2, 3]))
    yield "silent", (torch.randn(3, 2), torch.tensor([3, 1, 2]))
