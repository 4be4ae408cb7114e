import torch


def probes():
    for n in (1, 3, 5):
        for wide in (True, False):
            yield "agrees", (torch.randn(n, 4), wide)
