"""Weights that may be None: without them the mean is taken, by another way with as many sums in it."""

from typing import Optional

import torch


class Net(torch.nn.Module):
    def forward(self, x, weights: Optional[torch.Tensor] = None):
        if weights is None:  # cause
            return x.mean(dim=1)
        return (x * weights).sum(dim=1) / (weights.sum() + 0.5)


def example():
    return torch.linspace(0.5, 2.0, 12).reshape(3, 4), torch.linspace(0.1, 1.0, 4)
