"""As size_of_a_weight, but nothing fixes the size: the scale is pinned."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x / float(x.shape[-1]) ** 0.5  # cause


def example():
    return (torch.linspace(0.5, 2.0, 40).reshape(5, 8),)
