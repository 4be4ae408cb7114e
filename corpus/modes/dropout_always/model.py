"""Dropout that no mode turns off: the model drops in eval mode, and so does the graph."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.3) + x


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
