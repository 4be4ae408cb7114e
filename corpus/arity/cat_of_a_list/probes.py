import torch


def probes():
    yield "agrees", ([torch.randn(2, 4) for _ in range(3)],)
    yield "agrees", ([torch.randn(1, 4) for _ in range(3)],)
    for k in (1, 2, 4, 5):
        yield "loud", ([torch.randn(2, 4) for _ in range(k)],)
