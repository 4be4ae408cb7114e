import torch


def probes():
    for n in (1, 2, 5):
        yield "agrees", (torch.randn(n, 4), torch.full((n,), 5))
        for step in (0, 3, 7):
            yield "silent", (torch.randn(n, 4), torch.full((n,), step))
