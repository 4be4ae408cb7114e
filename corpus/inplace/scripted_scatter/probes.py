import torch


def probes():
    yield "agrees", (torch.randn(4, 3), torch.tensor([0, 1, 1, 0]))
    yield "agrees", (torch.randn(4, 3), torch.tensor([1, 1, 1, 0]))
    yield "agrees", (torch.randn(1, 3), torch.tensor([0]))
    yield "agrees", (torch.randn(7, 3), torch.tensor([1, 0, 1, 0, 1, 0, 1]))
    yield "agrees", (torch.randn(3, 3), torch.tensor([1, 1, 1]))
