"""The model itself asks for its result on the CPU, and every export says so."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return (x * 3 - 1).sigmoid().to("cpu").round()


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
