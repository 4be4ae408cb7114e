"""Vectors are added in place to the points of a kind: PyTorch's assignment by mask goes another way for one row."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.tensor([[0.5, -0.25]]))

    def forward(self, points, kinds):
        y = points * 2
        y[kinds == 1] += self.shift  # cause
        return y


def example():
    return torch.linspace(-1.0, 1.0, 12).reshape(2, 3, 2), torch.tensor([[0, 0, 0], [0, 1, 0]])
