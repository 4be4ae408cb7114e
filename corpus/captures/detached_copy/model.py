"""As data_attribute, by detach(), which is an operator of the graph."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        target = x.detach()
        return torch.tanh(x) + 0.5 * target


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(4, 3),)
