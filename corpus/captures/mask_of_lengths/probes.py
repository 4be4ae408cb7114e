import torch


def probes():
    for lengths in ([4, 6, 2], [4, 5, 2], [1, 1, 1], [4, 6, 2, 5], [4, 6], [4]):
        yield "agrees", (torch.rand(len(lengths), 6) + 0.5, torch.tensor(lengths))
