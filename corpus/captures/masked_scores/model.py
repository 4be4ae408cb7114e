"""A pinned scale beside a mask of huge numbers, which are no measure for the other elements."""

import math

import torch


class Net(torch.nn.Module):
    def forward(self, q):
        scores = q @ q.transpose(1, 2) / math.sqrt(int(q.shape[1]))  # cause
        return scores.masked_fill(torch.ones_like(scores).tril() == 0, -3e38)


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(1, 4, 6),)
