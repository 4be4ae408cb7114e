"""Colours are normalized by tensors that are plain attributes: the same constants in every export."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.4, 0.5, 0.6]).view(3, 1, 1)
        self.std = torch.tensor([0.2, 0.25, 0.3]).view(3, 1, 1)
        self.stem = torch.nn.Conv2d(3, 2, 1)

    def forward(self, image):
        return self.stem((image - self.mean) / self.std)


def example():
    return (torch.linspace(0.0, 1.0, 60).reshape(1, 3, 4, 5),)
