import torch


def probes():
    for b in (1, 2, 5):
        yield "agrees", (torch.randn(b, 16, 2),)
    for n in (8, 32, 48):
        yield "lenient", (torch.randn(2, n, 2),)
    for n in (5, 15):
        yield "rejected", (torch.randn(2, n, 2),)
