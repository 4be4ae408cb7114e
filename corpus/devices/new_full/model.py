"""A column of twos is made by new_full of what comes in: on the example's device ever after."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        border = x.new_full((x.shape[0], 1), 2.0)  # cause
        return x * border


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
