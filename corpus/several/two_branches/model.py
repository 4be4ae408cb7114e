"""Two branches on one size, each silent in the values of the same output."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.abs() + 1
        if x.shape[0] > 4:  # cause
            y = y.square()
        if x.shape[0] < 3:  # cause
            y = -y
        return y


def example():
    return (torch.linspace(-1.0, 1.0, 4),)
