"""Large pictures are halved, and large is a product of two sizes: neither alone decides."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[1] * x.shape[2] > 64:  # cause
            return x * 0.5
        return x * 2.0


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(1, 4, 6),)
