import torch

ROW = torch.tensor([2.0, -3.0, 4.0, -2.0, 4.0, -1.0, 5.0, 3.0])


def probes():
    for mark in (3, 3, 3):
        yield "agrees", (torch.randn(8), torch.tensor([mark, 0]))
    for marks in ([2, 0], [3, 5], [0, 0], [1, 6], [0, 4]):
        yield "silent", (ROW.clone(), torch.tensor(marks))
