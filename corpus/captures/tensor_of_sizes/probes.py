import torch


def probes():
    yield "agrees", (torch.rand(3, 4) + 0.5,)
    yield "agrees", (torch.rand(4, 3) + 0.5,)
    for n, m in ((3, 1), (3, 2), (3, 3), (3, 5), (1, 4), (2, 4), (5, 4), (1, 1)):
        yield "silent", (torch.rand(n, m) + 0.5,)
