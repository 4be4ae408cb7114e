"""Neighbours are taken in pairs: what the loop goes over is nowhere where there are no rounds."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        total = torch.zeros_like(x[0])
        for left, right in zip(x[:-1], x[1:]):  # cause
            total = total + (right - left).abs()
        return total


def example():
    return (torch.linspace(-1.0, 1.0, 6).reshape(3, 2),)
