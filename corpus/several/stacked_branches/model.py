"""Where the second branch is taken the first is taken, too."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.abs() + 1
        if x.shape[0] > 4:  # cause
            y = y.square()
            y = y + 1
        if x.shape[0] > 8:  # cause
            y = -y
        return y


def example():
    return (torch.linspace(-1.0, 1.0, 4),)
