import torch


def probes():
    for b, t in ((3, 4), (4, 4), (3, 5), (6, 2), (2, 6), (1, 2), (1, 1)):
        yield "agrees", ((torch.arange(b * t).reshape(b, t) * 7 + 1) % 10,)
