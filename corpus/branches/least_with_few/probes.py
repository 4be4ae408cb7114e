import torch


def probes():
    for n in (1, 2, 3, 5):
        yield "agrees", (torch.randn(n),)
    for n in (6, 7, 8, 11):
        yield "silent", (torch.randn(n),)
