"""Two layers in training, one with the sum of their weights in eval mode: different graphs, same results."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = torch.nn.Linear(4, 3)
        self.narrow = torch.nn.Linear(4, 3)

    def forward(self, x):
        if self.training:
            return self.wide(x) + self.narrow(x)
        return F.linear(x, self.wide.weight + self.narrow.weight, self.wide.bias + self.narrow.bias)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
