"""Rows in the order that the model wants, and in others."""

import torch


def probes():
    for lengths in ([4, 4], [3, 2, 1], [4, 3, 3, 1]):
        yield "agrees", (torch.randn(len(lengths), 5, 2), torch.tensor(lengths))
    for lengths in ([1, 2], [3, 1, 2], [4, 2, 3, 1]):
        yield "lenient", (torch.randn(len(lengths), 4, 2), torch.tensor(lengths))
