import torch


def probes():
    for h, k in ((5, 3), (4, 4), (6, 1), (1, 1), (8, 7)):
        yield "agrees", (torch.randn(h, 4), torch.randn(k, 4))
    for h, k in ((2, 5), (1, 3), (3, 4), (5, 8)):
        yield "loud", (torch.randn(h, 4), torch.randn(k, 4))
