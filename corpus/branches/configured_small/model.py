"""The smaller of two configurations: its graph is another than the larger one's, and right for it."""

import torch

SIZES = {"small": (1, 4), "large": (2, 6)}


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query, self.value = torch.nn.Linear(width, width), torch.nn.Linear(width, width)

    def forward(self, x):
        scores = self.query(x) @ x.transpose(1, 2) / x.shape[2] ** 0.5
        return x + scores.softmax(dim=2) @ self.value(x)


class Net(torch.nn.Module):
    def __init__(self, size="small"):
        super().__init__()
        layers, width = SIZES[size]
        self.widen = torch.nn.Linear(4, width) if width != 4 else None
        self.layers = torch.nn.ModuleList([Layer(width) for _ in range(layers)])

    def forward(self, x):
        if self.widen is not None:
            x = self.widen(x)
        for layer in self.layers:
            x = layer(x)
        return x


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(2, 3, 4),)
