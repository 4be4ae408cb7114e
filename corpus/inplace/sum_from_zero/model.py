"""A sum begins with Python's 0: its first step makes a new tensor, the next ones add in place."""

import torch


class Net(torch.nn.Module):
    def forward(self, a, b):
        total = 0
        for part in (a, b):
            total += part
        return total


def example():
    return torch.linspace(-1.0, 1.0, 5), torch.linspace(1.0, 2.0, 5)
