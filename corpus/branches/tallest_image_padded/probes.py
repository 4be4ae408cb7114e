import torch


def probes():
    for h, k in ((5, 3), (4, 4), (6, 1), (2, 5), (3, 4), (1, 8)):
        yield "agrees", (torch.randn(h, 4), torch.randn(k, 4))
