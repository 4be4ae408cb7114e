"""A term that should get no gradient is read through .data, which no tracer sees."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        target = x.data  # cause
        return torch.tanh(x) + 0.5 * target


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
