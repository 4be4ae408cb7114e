"""A captured size that spoils every length hides two branches that spoil some."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        if len(x) > 4:  # cause
            y = y.square()
        y = y + len(x)  # cause
        if len(x) < 3:  # cause
            y = y - 7
        return y


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
