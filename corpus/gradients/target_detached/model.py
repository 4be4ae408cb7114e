"""One branch is the other's target and is detached; a part of the other is, too."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1.0, 1.0, 12).reshape(4, 3))
        self.target = torch.nn.Parameter(torch.linspace(1.0, -1.0, 12).reshape(4, 3))

    def forward(self, x):
        online = x @ self.weight
        online = torch.cat([online[:, :1].detach(), online[:, 1:]], 1)
        target = (x @ self.target).detach()
        return (online - target).pow(2).sum(-1)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
