import torch


def probes():
    x = torch.randn(4, 2)
    for route in ([2, 0, 0, 2], [0, 1, 2, 2], [1, 1, 1, 1]):
        yield "agrees", (x, torch.tensor(route))
    yield "agrees", (torch.randn(1, 2), torch.tensor([1]))
