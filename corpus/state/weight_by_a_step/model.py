"""A weight that wanes with every call, by way of a method and a variable."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.turns = 0

    def share(self):
        self.turns += 1  # cause
        return 1.0 / (1.0 + self.turns)

    def forward(self, x):
        own = self.share()
        rest = 1.0 - own
        return own * self.fc(x) + rest * x


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
