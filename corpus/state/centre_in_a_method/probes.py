import torch


def probes():
    for n in (1, 3):
        yield "agrees", (torch.rand(n, 4) + 0.5,)
        yield "silent", (torch.rand(n, 4) + 0.5,), {"calls": 2}
    yield "silent", (torch.rand(2, 4) + 0.5,), {"calls": 3}
