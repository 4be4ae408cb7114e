import torch


def probes():
    for b in (1, 2, 3, 4, 5):
        yield "agrees" if b == 2 else "silent", (torch.randn(b, 3, 4),)
    yield "agrees", (torch.randn(2, 1, 4),)
