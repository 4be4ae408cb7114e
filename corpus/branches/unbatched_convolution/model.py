"""A convolution takes one image or a batch, but in a graph only what the example was."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)

    def forward(self, x):
        y = self.conv(x)  # cause
        return y.mean(dim=[-2, -1])


def example():
    return (torch.linspace(-1.0, 1.0, 150).reshape(2, 3, 5, 5),)
