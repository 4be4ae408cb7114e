"""A weight that is kept detached in a plain attribute is a constant of the graph, which no new weights reach."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(3, 4))
        self.frozen = self.weight.detach()

    def forward(self, x):
        return x @ self.frozen  # cause


def example():
    return (torch.linspace(-1.0, 1.0, 6).reshape(2, 3),)
