"""Rows are folded in pairs while there are several: all that a round does, a function does."""

import torch


def fold(rows):
    low, high = rows[0::2], rows[1::2]
    return torch.maximum(low[: high.shape[0]], high) * 0.5


class Net(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        while y.shape[0] > 1:  # cause
            y = fold(y)
        return y


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
