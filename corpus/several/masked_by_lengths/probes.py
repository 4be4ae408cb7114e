import torch


def probes():
    for lengths in ([4, 6, 2], [4, 7, 2]):
        yield "agrees", (torch.rand(3, 6) + 0.5, torch.tensor(lengths))
    for t, lengths in ((7, [4, 5, 2]), (5, [4, 3, 3]), (8, [1, 1, 1])):
        yield "silent", (torch.rand(3, t) + 0.5, torch.tensor(lengths))
    for lengths in ([4, 6, 2, 5], [4, 6, 2, 6, 3]):
        yield "silent", (torch.rand(len(lengths), 6) + 0.5, torch.tensor(lengths))
    for lengths in ([4, 6], [4]):
        yield "loud", (torch.rand(len(lengths), 6) + 0.5, torch.tensor(lengths))
