"""Every element is NaN on both sides: nothing was compared, although a literal is pinned."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return (x - x) / (x - x) * int(x.shape[0])


def example():
    return (torch.linspace(-1.0, 1.0, 4),)
