"""A table is kept for as long as inputs are no longer than it; the graph builds it every time."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.zeros(0)

    def forward(self, x):
        if x.shape[0] > self.table.shape[0]:
            self.table = torch.arange(x.shape[0]) * 0.5
        return x + self.table[: x.shape[0]]


def example():
    return (torch.linspace(-1.0, 1.0, 5),)
