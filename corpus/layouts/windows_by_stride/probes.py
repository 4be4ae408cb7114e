import torch


def probes():
    for n in (3, 5, 7, 9):
        yield "agrees", (torch.randn(n),)
        yield "silent", (torch.randn(2 * n)[::2],)
