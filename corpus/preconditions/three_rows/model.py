"""The model itself takes three rows of four and nothing else: at all other sizes both reject the input."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(3, 4).sum(1)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
