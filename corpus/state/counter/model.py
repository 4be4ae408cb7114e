"""A counter that the model keeps is a literal in the graph."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x):
        self.count += 1  # cause
        return x * self.count


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
