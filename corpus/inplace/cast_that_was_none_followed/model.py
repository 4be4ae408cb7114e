"""A cast that has nothing to do on the example, and a result that is written nowhere, nor read again."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.to(torch.float32) - 1.0
        return y.double() * y.double()


def example():
    return (torch.linspace(-2.0, 2.0, 6).reshape(2, 3),)
