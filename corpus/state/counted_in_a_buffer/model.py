"""Calls counted in a buffer, in place: the export counts on, in single and in double precision."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 4))
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls += 1
        return x * self.weight


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
