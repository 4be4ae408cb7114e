"""torch.tensor of a list of sizes is stored as a constant tensor."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        size = torch.tensor([x.shape[0], x.shape[1]])  # cause
        return x / size.sum()


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
