"""A skip connection is cut to what comes from below: three sizes in Python's numbers, at one line of a helper."""

import torch
from torch.nn import functional


def centre(skip, like):
    d, h, w = (int(size) for size in like.shape[2:])  # cause
    z, y, x = (skip.shape[2] - d) // 2, (skip.shape[3] - h) // 2, (skip.shape[4] - w) // 2
    return skip[:, :, z:z + d, y:y + h, x:x + w]


class Net(torch.nn.Module):
    def forward(self, volume):
        below = functional.interpolate(functional.avg_pool3d(volume, 2), scale_factor=2.0)
        return torch.cat([centre(volume, below), below], dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 252).reshape(1, 1, 6, 7, 6),)
