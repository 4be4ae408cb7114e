"""The number of pictures leaves the graph behind a convolution, and is a literal inside of it."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3, padding=1)
        self.head = torch.nn.Linear(2 * 4 * 4, 3)

    def forward(self, x):
        maps = self.conv(x).relu()
        batch = int(maps.shape[0])  # cause
        return self.head(maps.reshape(batch, -1))


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(3, 1, 4, 4),)
