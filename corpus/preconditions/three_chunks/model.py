"""Where chunk gives no three parts, the model rejects the input itself."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        a, b, c = x.chunk(3, dim=1)
        return a.sum(dim=1) + b.sum(dim=1) * 2 + c.sum(dim=1) * 3


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(2, 6),)
