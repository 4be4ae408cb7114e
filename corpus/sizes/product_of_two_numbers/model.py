"""Height times width, of numbers that left the graph at one line."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        h, w = (int(size) for size in x.shape[1:])  # cause
        return x.reshape(x.shape[0], h * w).cumsum(1)


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(2, 3, 4),)
