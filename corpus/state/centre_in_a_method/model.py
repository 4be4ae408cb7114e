"""A method keeps the running centre in its buffer, by assigning to it: no graph of a trace does that."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("centre", torch.zeros(4))

    @torch.no_grad()
    def follow(self, x):
        self.centre = torch.lerp(self.centre, x.mean(dim=0), 0.25)  # cause

    def forward(self, x):
        y = torch.tanh(x - self.centre)
        self.follow(x)
        return y


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(3, 4),)
