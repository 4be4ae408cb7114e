import torch


def probes():
    for ends in ([3, 8, 10], [5, 7, 9], [2, 3, 8]):
        yield "agrees", (torch.randn(10, 3), torch.tensor(ends))
    for ends in ([3, 6, 10], [1, 9, 10], [2, 4, 6]):
        yield "silent", (torch.randn(10, 3), torch.tensor(ends))
