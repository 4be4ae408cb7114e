import torch


def probes():
    for ends in ([0, 2, 5, 9], [0, 4, 5, 9], [0, 1, 5, 9]):
        yield "agrees", (torch.rand(9, 2) + 0.5, torch.tensor(ends))
    for ends in ([0, 3, 6, 9], [0, 5, 7, 9], [0, 2, 3, 9]):
        yield "silent", (torch.rand(9, 2) + 0.5, torch.tensor(ends))
