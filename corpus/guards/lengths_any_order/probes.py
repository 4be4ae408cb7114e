import torch


def probes():
    for lengths in ([4, 4], [1, 2], [3, 1, 2], [4, 2, 3, 1]):
        yield "agrees", (torch.randn(len(lengths), 4, 2), torch.tensor(lengths))
