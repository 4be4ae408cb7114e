"""A contiguous example is its own contiguous copy: the graph takes the two for one ever after."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        doubled = x.contiguous()  # cause
        doubled *= 2
        return x + doubled


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
