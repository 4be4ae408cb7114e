import torch


def probes():
    for lengths in ([4, 1, 3], [2, 4]):
        yield "agrees", (torch.rand(len(lengths), 6) + 0.5, torch.tensor(lengths))
    for lengths in ([5, 1, 3], [6, 6, 6], [1, 2], [3]):
        yield "silent", (torch.rand(len(lengths), 6) + 0.5, torch.tensor(lengths))
    for lengths in ([2, 1, 3], [3, 2]):
        yield "loud", (torch.rand(len(lengths), 3) + 0.5, torch.tensor(lengths))
