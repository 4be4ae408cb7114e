import torch


def probes():
    for n in (1, 2, 4):
        yield "agrees", (torch.rand(3, n), torch.rand(3, 3))
        yield "agrees", (torch.rand(3, n), torch.rand(3, 3)), {"calls": 2}
    yield "agrees", (torch.rand(3, 2), torch.rand(3, 3)), {"calls": 3}
