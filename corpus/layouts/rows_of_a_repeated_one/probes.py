import torch


def probes():
    for n in (2, 3, 4, 5, 6, 7):
        yield "agrees", (torch.randn(n, 3),)
    yield "agrees", (torch.randn(1, 3).expand(2, 3),)
    for n in (4, 5, 7):
        yield "loud", (torch.randn(1, 3).expand(n, 3),)
