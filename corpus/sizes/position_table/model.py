"""The length of a sequence, made an int, picks the rows of a position table."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 64).reshape(16, 4))

    def forward(self, x):
        length = int(x.shape[1])  # cause
        return x + self.table[torch.arange(length)]


def example():
    return (torch.linspace(-1.0, 1.0, 56).reshape(2, 7, 4),)
