import torch


def probes():
    for b in (1, 3, 4):
        yield "agrees", (torch.randn(b, 4), torch.arange(b) * 7)
    for b in (2, 5, 6):
        yield "silent", (torch.randn(b, 4).bfloat16(), torch.arange(b) * 7)
