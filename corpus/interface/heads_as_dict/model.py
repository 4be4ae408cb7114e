"""Two heads by name in a dict, exported as not strict."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.mean, self.spread = (torch.nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        hidden = self.body(x).relu()
        mean, spread = self.mean(hidden), self.spread(hidden).exp()
        return {"mean": mean, "spread": spread}


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 4),)
