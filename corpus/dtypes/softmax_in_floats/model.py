"""Scores become floats for the softmax, which they are in the trace, and then what they were."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.keys = torch.nn.Linear(4, 4)
        self.values = torch.nn.Linear(4, 3)

    def forward(self, x):
        scores = x @ self.keys(x).mT
        weights = torch.softmax(scores.float(), -1).type_as(scores)  # cause
        return weights @ self.values(x)


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
