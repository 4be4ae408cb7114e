"""Short and long rows have an adapter each, of another kernel size: the trace keeps the example's."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.adapters = nn.ModuleDict({f"of{k}": nn.Conv1d(2, 4, k, padding=k // 2) for k in (1, 3, 5)})
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        rounds = min(int(x.shape[2]) // 8, 2)  # cause
        y = self.adapters[f"of{2 * rounds + 1}"](x)
        return self.head(y.mean(-1))


def example():
    return (torch.linspace(-1.0, 1.0, 12).view(1, 2, 6),)
