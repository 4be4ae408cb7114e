"""Rows taken by a stride that the example had: of one row that is repeated without memory the stride is 0."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        step = x.stride(0)  # cause
        even = x.as_strided(((x.shape[0] + 1) // 2, x.shape[1]), (2 * step, 1))
        return even.sum(dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
