"""A width rounded up to a multiple of four, computed in Python from a quotient."""

import math

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        full = math.ceil(x.shape[1] / 4) * 4  # cause
        out = x.new_zeros(x.shape[0], full)
        out[:, : x.shape[1]] = x
        return out


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(2, 6),)
