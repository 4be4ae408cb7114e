"""A gain is drawn by Python's own generator: the export keeps the one that it drew."""

import random

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        gain = random.uniform(0.5, 1.5)  # cause
        return x * gain


def example():
    return (torch.linspace(0.5, 2.0, 6).reshape(2, 3),)
