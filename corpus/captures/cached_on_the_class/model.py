"""A mask is kept by size in a cache of the class: the graph has the size, or the mask, of the example."""

import functools

import torch


class Net(torch.nn.Module):
    @staticmethod
    @functools.lru_cache(maxsize=None)
    def mask(length):
        return torch.full((length, length), -1.0).triu(1)

    def forward(self, x):
        length = int(x.shape[1])  # cause
        return torch.softmax(x + self.mask(length), dim=-1)


def example():
    return (torch.linspace(-1.0, 1.0, 25).reshape(1, 5, 5),)
