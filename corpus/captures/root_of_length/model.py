"""A pinned root of a length among numbers of Python that are the same in every export."""

import math

import torch


class Net(torch.nn.Module):
    def forward(self, ids):
        length = int(ids.shape[1])  # cause
        places = torch.arange(ids.shape[1]) * 0.1
        weights = torch.softmax((ids == 0) * -1e4 + places, dim=1)
        return weights * ids / math.sqrt(length)


def example():
    return (torch.arange(12).reshape(3, 4),)
