"""A pinned scale under a mask that is filled with the type's lowest number."""

import math

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        scores = x @ x.mT / math.sqrt(int(x.shape[1]))  # cause
        hidden = torch.ones_like(scores).tril() == 0
        return scores.masked_fill(hidden, torch.finfo(scores.dtype).min)


def example():
    return (torch.linspace(-1.0, 1.0, 40).reshape(1, 5, 8),)
