"""A layer casts what it measures; beside a float32 example its result is the argument itself."""

import torch


class Moments(torch.nn.Module):
    def forward(self, x):
        exact = x.float()  # cause
        return exact.mean(1, keepdim=True), exact.std(1, keepdim=True)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.moments = Moments()

    def forward(self, x):
        mean, deviation = self.moments(x)
        return torch.exp((x - mean) / (deviation + 0.5))


def example():
    return (torch.linspace(-2.0, 2.0, 6).reshape(2, 3),)
