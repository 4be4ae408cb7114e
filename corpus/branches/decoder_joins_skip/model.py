"""A decoder resizes where its length is not that of the skip; traced at an even length, it never does."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        up = F.interpolate(F.max_pool1d(x, 2), scale_factor=2.0)
        if up.shape[2] != x.shape[2]:  # cause
            up = F.interpolate(up, size=x.shape[2:])
        return torch.cat([up, x], dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 16).reshape(1, 2, 8),)
