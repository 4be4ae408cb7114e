"""The first argument is changed before the second is read, and both may be one tensor."""

import torch


class Net(torch.nn.Module):
    def forward(self, a, b):
        a.add_(1)
        return a * b


def example():
    return torch.linspace(-1.0, 1.0, 5), torch.linspace(1.0, 2.0, 5)
