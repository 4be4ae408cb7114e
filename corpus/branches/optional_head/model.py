"""A head that is there or not when the model is built is no branch of the graph."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(4, 6)
        self.head = torch.nn.Linear(6, 2)
        self.extra = None

    def forward(self, x):
        x = torch.relu(self.body(x))
        if self.head is not None:
            x = self.head(x)
        if self.extra is not None:
            x = self.extra(x)
        return x


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
