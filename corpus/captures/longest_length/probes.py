import torch


def probes():
    yield "agrees", (torch.rand(3, 6, 2) + 0.5, torch.tensor([4, 1, 1]))
    yield "agrees", (torch.rand(2, 5, 2) + 0.5, torch.tensor([2, 4]))
    yield "agrees", (torch.rand(1, 4, 2) + 0.5, torch.tensor([4]))
    yield "silent", (torch.rand(3, 6, 2) + 0.5, torch.tensor([2, 3, 3]))
    yield "silent", (torch.rand(3, 6, 2) + 0.5, torch.tensor([6, 4, 3]))
    yield "silent", (torch.rand(1, 8, 2) + 0.5, torch.tensor([1]))
    yield "silent", (torch.rand(2, 7, 2) + 0.5, torch.tensor([5, 7]))
