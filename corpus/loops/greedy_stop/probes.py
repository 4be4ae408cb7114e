import torch


def probes():
    yield "agrees", (torch.tensor([[1.0, 0.8, 0.1]]),)
    yield "silent", (torch.tensor([[0.1, 0.2, 0.9]]),)
    yield "silent", (torch.tensor([[1.0, 1.0, -1.0], [0.0, 0.1, 0.5]]),)
