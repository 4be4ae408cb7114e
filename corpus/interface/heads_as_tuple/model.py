"""Two heads as a tuple; heads_as_dict and heads_as_named_tuple are the same model."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.mean, self.spread = (torch.nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        hidden = self.body(x).relu()
        mean, spread = self.mean(hidden), self.spread(hidden).exp()
        return mean, spread


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
