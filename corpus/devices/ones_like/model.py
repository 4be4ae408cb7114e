"""ones_like records the device of the example, too."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        ones = torch.ones_like(x)  # cause
        return x + ones.cumsum(dim=0)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
