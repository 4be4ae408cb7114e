"""The declared sizes are all rejected by the model: nothing was compared."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0] // 2, 2).sum(dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 6),)
