"""Scaled by how many numbers there are, as the size itself counts them."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        n = x.shape.numel()  # cause
        return x.cumsum(1) / n


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
