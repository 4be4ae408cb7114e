"""As position_table, with the size itself: it follows the input."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 64).reshape(16, 4))

    def forward(self, x):
        length = x.shape[1]
        return x + self.table[torch.arange(length)]


def example():
    return (torch.linspace(-1.0, 1.0, 56).reshape(2, 7, 4),)
