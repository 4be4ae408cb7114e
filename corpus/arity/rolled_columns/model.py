"""As turned_columns, without taking them apart."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x[:, 1:], x[:, :1]], dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
