import torch


def probes():
    for kinds in ([[1, 0, 0]], [[1], [0]], [[0, 1]]):
        kinds = torch.tensor(kinds)
        yield "agrees", (torch.randn(*kinds.shape, 2), kinds)
    for kinds in ([[1, 0, 1]], [[0, 0], [0, 0]], [[1, 1], [1, 0]]):
        kinds = torch.tensor(kinds)
        yield "loud", (torch.randn(*kinds.shape, 2), kinds)
