"""Freezing folds a weight that is cast to double; the type of the result stays."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(4, 3))

    def forward(self, x):
        return x.double() @ self.weight.double()


def export():
    return torch.jit.freeze(torch.jit.trace(Net().eval(), example()))


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
