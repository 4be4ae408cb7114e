"""A pyramid has as many levels as the length can be halved: in the graph as many as the example had."""

import math

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        peaks = [x.amax(dim=1)]
        for _ in range(int(math.log2(int(x.shape[1])))):  # cause
            x = F.avg_pool1d(x, 2)
            peaks.append(x.amax(dim=1))
        return torch.stack(peaks, dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 16).reshape(2, 8),)
