import torch


def probes():
    yield "agrees", (torch.linspace(-1.0, 2.0, 40).reshape(2, 5, 4),)
    for m in (2, 4, 9):
        yield "silent", (torch.randn(2, m, 4),)
    yield "silent", (torch.linspace(-1.0, 2.0, 40).reshape(2, 5, 4),), {"calls": 2}
