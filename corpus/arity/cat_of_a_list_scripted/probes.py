import torch


def probes():
    for k in (1, 2, 3, 4, 5):
        yield "agrees", ([torch.randn(2, 4) for _ in range(k)],)
