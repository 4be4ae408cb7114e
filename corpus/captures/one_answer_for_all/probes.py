import torch


def probes():
    yield "agrees", (torch.linspace(-4.0, 4.0, 12).reshape(3, 4),)
    for _ in range(3):
        yield "silent", (torch.randn(3, 4) * 8,)
