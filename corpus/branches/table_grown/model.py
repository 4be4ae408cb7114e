"""A table of positions grows where a longer input asks for it, and stays as long: the trace has one of the two."""

import torch


def waves(length):
    return torch.outer(torch.arange(length, dtype=torch.float32), torch.tensor([1.0, 0.1, 0.01])).sin()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", waves(8), persistent=False)

    def forward(self, x):
        n = x.shape[0]
        if n > self.table.shape[0]:  # cause
            self.table = waves(n + n // 2)
        return x * self.table[:n]


def example():
    return (torch.linspace(-1.0, 1.0, 15).reshape(5, 3),)
