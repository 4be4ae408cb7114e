"""The outputs change places with more than three rows: a decision, frozen at the example's."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        low, high = x.amin(dim=1), x.amax(dim=1)
        if x.shape[0] > 3:  # cause
            return high, low
        return low, high


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
