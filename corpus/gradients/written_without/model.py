"""A result is gated in place without gradients: they pass as if it were not."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(4, 3))

    def forward(self, x):
        y = x @ self.weight
        with torch.no_grad():  # cause
            y.mul_(torch.sigmoid(x[:, :1]))
        return y


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
