import torch


def probes():
    for n in (1, 3, 4, 5):
        yield "loud", (torch.randn(n, 4), torch.arange(n) % 4 + 1)
    yield "agrees", (torch.randn(2, 4), torch.tensor([2, 4]))
    yield "agrees", (torch.randn(2, 6), torch.tensor([6, 1]))
