import torch


def probes():
    for size in ((4, 3), (3, 4), (2, 6)):
        yield "agrees", (torch.randn(size),)
    for size in ((1, 3), (4, 4), (2, 5)):
        yield "silent", (torch.randn(size),)
