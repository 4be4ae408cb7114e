import torch


def probes():
    for n in (1, 2, 5, 8):
        x = torch.randn(n)
        yield "agrees", ({"x": x, "y": x * 2}, (x + 1, x + 2), [x * 3, x * 4])
