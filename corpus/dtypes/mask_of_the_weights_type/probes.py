import torch


def probes():
    for n in (1, 2, 5):
        yield "agrees", (torch.randn(n, 4), torch.randn(n, 4) > 0)
    for n in (1, 2, 5):
        yield "loud", (torch.randn(n, 4).double(), torch.randn(n, 4) > 0), {"dtype": "float64"}
