"""Both functions are computed, and torch.where takes one by the sign of the sum."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x.abs().sqrt(), x.square())


def example():
    return (torch.linspace(0.5, 2.0, 6),)
