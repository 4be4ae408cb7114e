"""A mask is cast to the type that the weights had when traced; the cast model multiplies it by weights of another."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(4, 3))

    def forward(self, x, mask):
        hidden = (1 - mask.to(self.weight.dtype)) * -1e4  # cause
        return x @ self.weight + hidden @ self.weight


def example():
    x = torch.linspace(-1.0, 1.0, 8).reshape(2, 4)
    return x, x > 0
