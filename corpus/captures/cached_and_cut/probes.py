import torch


def probes():
    for b in (1, 2):
        yield "agrees", (torch.rand(b, 5, 5),)
        for t in (2, 4, 9):
            yield "agrees", (torch.rand(b, t, t),)
