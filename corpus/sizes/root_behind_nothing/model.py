"""As root_behind_a_layer, without the layer: the size is the input's, and free."""

import math

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.value = torch.nn.ReLU()

    def forward(self, x):
        value = self.value(x)
        return value.softmax(dim=1) / math.sqrt(int(value.shape[-1]))  # cause


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(3, 8),)
