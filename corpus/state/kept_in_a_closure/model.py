"""A mean that a function keeps in a variable of the function around it is a constant of the graph."""

import torch


def smoother():
    last = []

    def smooth(x):
        mean = x.mean(0)
        if last:
            mean = mean + 0.5 * last.pop()
        last.append(mean)  # cause
        return x - mean

    return smooth


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.smooth = smoother()

    def forward(self, x):
        return self.smooth(x)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
