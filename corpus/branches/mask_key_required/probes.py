import torch


def probes():
    for n in (2, 4, 7):
        yield "agrees", (torch.randn(n), {"shift": torch.randn(n), "mask": torch.rand(n)})
    for n in (1, 3, 5):
        yield "loud", (torch.randn(n), {"shift": torch.randn(n)})
