"""Training gives a second output; traced in training, evaluation gets it, too."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(4, 5)
        self.head = torch.nn.Linear(5, 2)
        self.extra = torch.nn.Linear(5, 2)

    def forward(self, x):
        y = torch.relu(self.body(x))
        if self.training:  # cause
            return self.head(y), self.extra(y)
        return self.head(y)


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
