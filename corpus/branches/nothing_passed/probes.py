import torch


def probes():
    for n in (0, 2, 5):
        yield "agrees", (torch.randn(n, 4), torch.linspace(0.1, 0.4, n))
    for n in (1, 3, 4, 7):
        yield "silent", (torch.randn(n, 4), torch.linspace(0.9, 0.1, n))
