"""A decorator hands short sequences back as they are; the others are smoothed in another layout."""

import functools

import torch


def keeps_short(least):
    def wrap(forward):
        @functools.wraps(forward)
        def inner(self, x):
            if x.shape[1] < least:  # cause
                return x
            return forward(self, x)

        return inner

    return wrap


class Net(torch.nn.Module):
    @keeps_short(4)
    def forward(self, x):
        y = x.transpose(1, 2)
        return torch.nn.functional.avg_pool1d(y, 3, 1, 1).transpose(1, 2)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(2, 3, 2),)
