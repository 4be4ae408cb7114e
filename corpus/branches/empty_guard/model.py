"""Layers run only when there is something; the graph runs them on empty inputs, too."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.ReLU(), torch.nn.Linear(5, 3))

    def forward(self, x):
        if x.numel() > 0:  # cause
            x = self.layers(x)
        return x


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
