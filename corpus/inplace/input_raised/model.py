"""The model raises its input in place, the example's too; an export that does the same is right."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        x += 1
        return x * x


def example():
    return (torch.linspace(-1.0, 1.0, 6).reshape(2, 3),)
