"""A batch whose first half is wanted and whose second is not; both are cut by Python's numbers."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        half = x[: len(x) // 2]  # cause
        both = torch.cat([half, half * 0.5])
        wanted, other = both.tanh().split(both.shape[0] // 2)
        return wanted - 2 * other


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
