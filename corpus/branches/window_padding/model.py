"""A sequence is padded to whole windows of four, if it has to be: a graph from one of eight never pads."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        missing = (4 - x.shape[1] % 4) % 4
        if missing > 0:  # cause
            x = F.pad(x, (0, 0, 0, missing))
        return x.view(x.shape[0], x.shape[1] // 4, 4, 3).mean(dim=2)


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(2, 8, 3),)
