"""A buffer that is assigned anew and a root of a length: no case shows the length without the buffer."""

import math

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("memory", torch.full((4,), 0.1))

    def remember(self, pooled):
        self.memory = 0.9 * self.memory + 0.1 * pooled.mean(0)  # cause

    def forward(self, x):
        pooled = x.sum(1) / math.sqrt(x.shape[1])  # cause
        self.remember(pooled)
        return pooled + self.memory


def example():
    return (torch.linspace(-1.0, 2.0, 40).reshape(2, 5, 4),)
