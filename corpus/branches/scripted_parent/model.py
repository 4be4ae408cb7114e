"""A scripted parent chooses between two traced children."""

import torch


class Double(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x) * 2


class Shift(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x, x + 1], dim=0)


class Net(torch.nn.Module):
    def __init__(self, wrap=lambda module: module):
        super().__init__()
        self.scale = wrap(Double())
        self.shift = wrap(Shift())

    def forward(self, x):
        if bool(x.sum() > 0):
            return self.scale(x)
        return self.shift(x)


def export():
    return torch.jit.script(Net(lambda module: torch.jit.trace(module, example())))


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
