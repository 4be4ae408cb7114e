"""A number chosen by a width: a branch, although only a literal differs."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        scale = 1.0
        if x.shape[1] > 8:  # cause
            scale = 0.5
        return x * scale


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(2, 6),)
