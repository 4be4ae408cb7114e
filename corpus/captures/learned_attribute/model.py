"""A learned tensor is a plain attribute, neither a parameter nor a buffer: no graph may hold it as a constant."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)

    def forward(self, x):
        return x * self.scale


def example():
    return (torch.linspace(-1.0, 1.0, 6).reshape(2, 3),)
