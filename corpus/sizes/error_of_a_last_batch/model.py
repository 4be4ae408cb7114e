"""A sum of squares is divided by the number of rows in Python: a last, smaller batch is scaled by the example's."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = torch.nn.Parameter(torch.tensor([0.5, -0.5, 0.25]))

    def forward(self, x):
        return ((x - self.mu) ** 2).sum() / int(x.shape[0])  # cause


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
