"""Padding to an even length, computed in Python: the literal is 0 or 1, and no formula."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        length = int(x.shape[1])  # cause
        missing = length % 2
        return F.avg_pool1d(F.pad(x, [missing, 0]), 2)


def example():
    return (torch.linspace(-1.0, 1.0, 10).reshape(2, 5),)
