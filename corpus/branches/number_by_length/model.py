"""How many columns are kept depends on the number of rows: two numbers, of which the graph has one."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        kept = 3 if len(x) > 5 else 1  # cause
        return x[:, :kept] * 2


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
