"""Batch norm in training rejects a single row; its graph has lost the check."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.norm = torch.nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(self.linear(x))  # cause


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
