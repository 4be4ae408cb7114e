"""Batch norm traced and used in training, with rows enough: its statistics follow."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.norm = torch.nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(self.linear(x))


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
