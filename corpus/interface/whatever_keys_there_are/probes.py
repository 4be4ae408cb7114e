import torch


def probes():
    for n in (1, 2, 4):
        yield "agrees", ({"left": torch.rand(n, 3), "right": torch.rand(n, 3)},)
    for n in (1, 2, 4):
        yield "loud", ({"right": torch.rand(n, 3)},)
