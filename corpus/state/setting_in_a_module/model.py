"""A dictionary of the file that no call changes is a constant, whatever the model writes into one of its own."""

import torch

STATE = {"step": 1}


class Net(torch.nn.Module):
    def forward(self, x):
        own = {"step": 0}
        own["step"] += STATE["step"]
        step = own["step"]
        return x * 0.5**step


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
