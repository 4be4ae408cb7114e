"""The model's own train() sets a number that forward uses; what is scripted keeps the number that it had."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blend = 0.0
        self.body = torch.nn.Linear(3, 3)

    def train(self, mode: bool = True):
        super().train(mode)
        self.blend = 0.75 if mode else 0.0  # cause
        return self

    def forward(self, x):
        hidden = torch.tanh(self.body(x))
        return hidden + self.blend * x.mean()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)
