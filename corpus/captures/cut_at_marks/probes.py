import torch


def probes():
    for mark in (2, 2, 2):
        yield "agrees", (torch.randn(6), torch.arange(6) == mark)
    for marks in ([4], [1, 3], [0, 2, 5]):
        yield "silent", (torch.tensor([2.0, -3.0, 1.0, -2.0, 4.0, -1.0]), torch.isin(torch.arange(6), torch.tensor(marks)))
