"""Sizes that leave the graph in a generator, and are added up in Python."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        total = sum(int(size) for size in x.shape)  # cause
        y = torch.tanh(x)
        return y / total


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
