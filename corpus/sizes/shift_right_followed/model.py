"""As shift_right, with the size itself: the whole row is moved."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        length = x.shape[1]
        shifted = x.clone()
        shifted[:, 1:length] = x[:, : length - 1]
        return shifted


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(2, 6),)
