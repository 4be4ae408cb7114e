import torch


def probes():
    for n, m in ((1, 4), (2, 7), (3, 6)):
        yield "silent", (torch.randn(n, m),)
        yield "agrees", (torch.zeros(n, m),)
