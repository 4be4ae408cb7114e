"""A row is cut at the marks above zero: the trace has the example's cuts, and goes by which were above."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, marks):
        cuts = [int(mark) for mark in marks if mark > 0]  # cause
        parts = torch.tensor_split(x, cuts)
        return torch.cat([part.cumsum(0) for part in parts])


def example():
    return torch.linspace(-1.0, 1.0, 8), torch.tensor([3, 0])
