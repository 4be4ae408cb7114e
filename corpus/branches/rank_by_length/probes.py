import torch


def probes():
    yield "agrees", (torch.randn(3, 4),)
    yield "agrees", (torch.randn(1, 4),)
    yield "silent", (torch.randn(2, 3, 4),)
    yield "silent", (torch.randn(5, 1, 4),)
