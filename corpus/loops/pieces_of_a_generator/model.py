"""A generator cuts as many pieces as the example had: the rest is left out."""

import torch


def pieces(x, size):
    for start in range(0, x.shape[1], size):  # cause
        yield x[:, start : start + size]


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.stack([piece.amax(1) for piece in pieces(x, 3)], 1)


def example():
    return (torch.linspace(-1.0, 1.0, 14).reshape(2, 7),)
