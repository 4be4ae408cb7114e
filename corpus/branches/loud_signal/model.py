"""A signal beyond the usual is scaled down: numbers of everyday size never take that way."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        peak = x.abs().amax()
        if peak > 6.0:  # cause
            x = x / peak
        return torch.tanh(x)


def example():
    return (torch.linspace(-1.0, 2.0, 6).reshape(2, 3),)
