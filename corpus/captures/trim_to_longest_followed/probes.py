import torch


def probes():
    for lengths in ([4, 1, 3], [2, 4], [5, 1, 3], [6, 6, 6], [1, 2], [3]):
        yield "agrees", (torch.rand(len(lengths), 6) + 0.5, torch.tensor(lengths))
    yield "agrees", (torch.rand(2, 3) + 0.5, torch.tensor([3, 1]))
