"""A number of Python's generator is added, whatever the seeds of PyTorch's: no size and no seed explains it."""

import random

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + random.random()  # cause


def example():
    return (torch.linspace(-1.0, 1.0, 5),)
