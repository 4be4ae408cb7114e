"""arange over len(x) is pinned to the length of the example."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + torch.arange(len(x))  # cause


def example():
    return (torch.linspace(-1.0, 1.0, 7),)
