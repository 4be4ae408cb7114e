import torch


def probes():
    for n in (1, 4, 5):
        yield "agrees", (torch.randn(n, 4), torch.linspace(0.9, 0.1, n))
    for n in (2, 3, 6, 7):
        yield "silent", (torch.randn(n, 4), torch.linspace(0.1, 0.4, n))
