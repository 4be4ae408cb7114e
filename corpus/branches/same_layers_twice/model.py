"""A branch that applies one layer twice: repeated steps, and no loop."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 4)

    def forward(self, x):
        if x.shape[0] <= 8:  # cause
            x = self.mix(self.mix(x).relu()).relu()
        return x * 2


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
