"""Calls under autocast round the same on both sides: the export was made without, and takes it up."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.layer(x)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
