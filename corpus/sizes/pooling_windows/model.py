"""Windows of a pyramid's pooling by Python's own quotient: a kernel and a padding are made of them below."""

import math

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        n = x.size(2)
        found = []
        for parts in (1, 2):
            window = math.ceil(n / parts)  # cause
            side = (window * parts - n + 1) // 2
            found.append(F.max_pool1d(x, window, stride=window, padding=(side,)).flatten(1))
        return torch.cat(found, 1)


def example():
    return (torch.linspace(-1.0, 1.0, 42).reshape(2, 3, 7),)
