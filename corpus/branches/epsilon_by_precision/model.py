"""A smaller epsilon in double precision: a branch on the element type, although only a literal differs."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        eps = 1e-3
        if x.dtype == torch.float64:  # cause
            eps = 1e-9
        return x / (x.abs() + eps)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
