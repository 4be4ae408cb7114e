"""The scale is computed without gradients, which no trace keeps: the outputs agree, and their gradients do not."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(4, 3))

    def forward(self, x):
        with torch.no_grad():  # cause
            scale = x.abs().mean(-1, keepdim=True)
        return (x @ self.weight) / (scale + 1.0)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
