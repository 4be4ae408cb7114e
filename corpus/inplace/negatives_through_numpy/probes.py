import torch


def probes():
    yield "agrees", (torch.rand(2, 3),)
    for n in (1, 2, 5):
        yield "silent", (-torch.rand(2, n) - 0.1,)
