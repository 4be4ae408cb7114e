"""As halve_until_small, where every input has one shape: only the values differ."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        while bool(x.abs().max() > 1.0):  # cause
            x = x * 0.5
        return x


def example():
    return (torch.linspace(-5.0, 2.0, 6).reshape(2, 3),)
