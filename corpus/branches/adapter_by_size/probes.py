import torch


def probes():
    for t in (4, 7):
        yield "agrees", (torch.randn(2, 2, t),)
    for t in (8, 17, 30):
        yield "silent", (torch.randn(2, 2, t),)
