"""A decoder that always resizes to the length of the skip needs no branch."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        up = F.interpolate(F.max_pool1d(x, 2), size=x.shape[2:])
        return torch.cat([up, x], dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 16).reshape(1, 2, 8),)
