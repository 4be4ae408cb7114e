"""As mask_mean, with the type taken from the input by an operator."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        weights = mask.type_as(x)
        return weights @ x / weights.sum()


def example():
    return torch.linspace(-1.0, 1.0, 12).reshape(3, 4), torch.tensor([True, False, True])
