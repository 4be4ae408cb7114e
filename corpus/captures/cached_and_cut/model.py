"""The mask of the largest size is kept in a cache of the class, and cut to the size of the input by the graph."""

import functools

import torch


class Net(torch.nn.Module):
    @staticmethod
    @functools.lru_cache(maxsize=None)
    def mask(length):
        return torch.full((length, length), -1.0).triu(1)

    def forward(self, x):
        whole = self.mask(16)
        return torch.softmax(x + whole[: x.shape[1], : x.shape[1]], dim=-1)


def example():
    return (torch.linspace(-1.0, 1.0, 25).reshape(1, 5, 5),)
