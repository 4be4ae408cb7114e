"""Each entry of a dict goes through a layer of its own, and they are joined in the dict's order."""

import torch
from torch import nn


class Stem(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lift = nn.Linear(width, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x):
        x = torch.tanh(self.lift(x))
        return self.norm(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stems = nn.ModuleDict({"audio": Stem(3), "video": Stem(3)})
        self.head = nn.Linear(8, 2)

    def forward(self, features):
        parts = []
        for name, x in features.items():  # cause
            parts.append(self.stems[name](x))
        return self.head(torch.cat(parts, -1))


def example():
    x = torch.linspace(-1.0, 2.0, 6).view(2, 3)
    return ({"audio": x, "video": x * x},)
