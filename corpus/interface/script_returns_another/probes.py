import torch


def probes():
    yield "silent", (torch.randn(1, 3),)
    for b in (2, 3, 5):
        yield "agrees", (torch.randn(b, 3),)
