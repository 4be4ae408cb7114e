"""Noise that the graph draws, and a buffer that follows it from call to call."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("level", torch.zeros(3))

    def forward(self, x):
        y = x + 0.1 * torch.randn_like(x)
        self.level.mul_(0.5).add_(y.mean(0))
        return y + self.level


def example():
    return (torch.linspace(0.5, 2.0, 6).reshape(2, 3),)
