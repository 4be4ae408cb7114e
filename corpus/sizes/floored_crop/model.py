"""The upper seven tenths of an image are kept: the row where it is cut is rounded down in Python."""

import math

import torch


class Net(torch.nn.Module):
    def forward(self, image):
        rows = math.floor(float(image.shape[1]) * 0.7)  # cause
        return image[:, :rows].mean(dim=2)


def example():
    return (torch.linspace(0.5, 2.0, 60).reshape(2, 10, 3),)
