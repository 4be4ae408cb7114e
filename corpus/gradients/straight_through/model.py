"""Rounding passes gradients straight through: what is computed without them is detached besides."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(4, 3))

    def forward(self, x):
        y = x @ self.weight
        with torch.no_grad():
            step = y.abs().max() / 7.0
            rounded = torch.round(y / step) * step
        return y + (rounded - y).detach()


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
