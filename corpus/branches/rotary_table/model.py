"""A table of rotations grows when a sequence is longer than it; the graph has the short table."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.extend(8)

    def extend(self, length):
        angles = torch.arange(length).unsqueeze(1) * torch.tensor([1.0, 0.1])
        self.cos, self.sin = angles.cos(), angles.sin()

    def forward(self, x):
        if x.shape[1] > self.cos.shape[0]:  # cause
            self.extend(x.shape[1])
        cos, sin = self.cos[: x.shape[1]], self.sin[: x.shape[1]]
        a, b = x.chunk(2, dim=2)
        return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=2)


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(2, 6, 4),)
