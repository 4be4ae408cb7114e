import torch


def probes():
    for n in (0, 1, 5, 8):
        yield "agrees", (torch.randn(n), torch.randn(n), torch.randn(n))
