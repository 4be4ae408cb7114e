"""Rows in the order of their lengths, which Python finds: the order is a constant of the graph."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, lengths):
        order = sorted(range(len(lengths)), key=lambda i: -int(lengths[i]))  # cause
        longest_first = x[order]
        return longest_first.cumsum(0)


def example():
    return torch.linspace(-1.0, 1.0, 12).reshape(3, 4), torch.tensor([2, 3, 1])
