import torch


def probes():
    for t, b in ((4, 1), (4, 3)):
        yield "agrees", (torch.randn(t, b), torch.rand(t, b) < 0.7)
    for t, b in ((1, 2), (3, 2), (6, 1)):
        yield "loud", (torch.randn(t, b), torch.rand(t, b) < 0.7)
