"""A number is looked up by a size, which is a tensor while it is traced and in no dict."""

import torch

SCALES = {1: 2.0, 2: 0.5}


class Net(torch.nn.Module):
    def forward(self, x):
        scale = SCALES.get(x.shape[0], 1.0)  # cause
        return torch.tanh(x) * scale


def example():
    return (torch.linspace(-1.0, 1.0, 6).reshape(3, 2),)
