"""The largest square in the middle, by Python's numbers: four literals of one line."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        h, w = int(x.shape[0]), int(x.shape[1])  # cause
        side = min(h, w)
        top, left = (h - side) // 2, (w - side) // 2
        return x[top:top + side, left:left + side] * 2


def example():
    return (torch.linspace(-1.0, 1.0, 15).reshape(3, 5),)
