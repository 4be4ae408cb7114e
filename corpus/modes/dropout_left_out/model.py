"""Dropout by the model's mode: traced in eval mode, training never drops."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 6)

    def forward(self, x):
        y = F.dropout(x, 0.3, training=self.training)  # cause
        return self.linear(y)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
