import torch


def probes():
    for m in (1, 4, 5):
        yield "agrees", (torch.randn(3, m), torch.arange(m) % 2 == 0)
    for m in (2, 3, 6):
        yield "agrees", (torch.randn(3, m).double(), torch.arange(m) % 2 == 0)
