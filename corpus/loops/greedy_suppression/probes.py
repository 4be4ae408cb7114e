import torch


def probes():
    yield "agrees", (torch.rand(2, 4), torch.tensor([0.9, 0.2]))
    yield "loud", (torch.rand(1, 4), torch.tensor([0.9]))
    far = torch.arange(20.0).reshape(5, 4) / 20
    yield "silent", (far, torch.tensor([0.9, 0.2, 0.5, 0.7, 0.3]))
    yield "silent", (far[:4], torch.tensor([0.1, 0.6, 0.3, 0.7]))
