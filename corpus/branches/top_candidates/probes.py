import torch


def probes():
    for n in (9, 12, 17):
        yield "agrees", (torch.randn(n, 4), torch.rand(n))
    for n in (1, 5, 7):
        yield "loud", (torch.randn(n, 4), torch.rand(n))
    yield "silent", (torch.randn(8, 4), torch.linspace(0.1, 0.9, 8))
