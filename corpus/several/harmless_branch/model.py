"""A branch that changes no value lies before one that does."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(3.0))

    def forward(self, x):
        y = x.abs()
        if x.shape[0] > 4:
            y = y.relu()
        y = y + 1
        if x.shape[0] > 6:  # cause
            y = y * self.scale
        return y


def example():
    return (torch.linspace(-1.0, 1.0, 4),)
