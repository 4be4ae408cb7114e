import torch


def probes():
    yield "agrees", ([torch.randn(3), torch.randn(3)],)
    for n in (1, 3, 5):
        yield "loud", ([torch.randn(3) for _ in range(n)],)
