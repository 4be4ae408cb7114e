"""An average over calls in a buffer, which a call with zeros writes and does not change."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("average", torch.zeros(4))

    def forward(self, x):
        self.average.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x - self.average


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
