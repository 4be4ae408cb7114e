import torch


def probes():
    for sizes in ((4, 4, 4), (8, 8, 8), (6, 7, 4), (4, 8, 5), (5, 6, 8), (8, 4, 6)):
        yield "loud", (torch.randn(1, 1, *sizes),)
    yield "agrees", (torch.randn(1, 1, 6, 7, 6),)
    yield "agrees", (torch.randn(1, 1, 6, 6, 6),)
