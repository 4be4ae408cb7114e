"""A mask is opened row by row: rows beyond the example's stay shut, and rounding could do anything there."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        mask = torch.full((n, n), -1e9)
        for i in range(n):  # cause
            mask[i, max(0, i - 1):i + 1] = 0.0
        return (x @ x.t() + mask).softmax(-1) @ x


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
