import torch


def probes():
    for m in (1, 4):
        yield "agrees", (torch.randn(3, m), torch.ones(m) > 0)
        yield "agrees", (torch.randn(3, m + 1).double(), torch.arange(m + 1) % 2 == 0)
    for m in (1, 3, 4):
        yield "silent", (torch.randn(2, m).double(), torch.ones(m) > 0)
