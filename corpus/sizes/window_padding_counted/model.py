"""The padding to whole windows, counted in Python: only where it is too short a window is lost."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        missing = int(4 - x.shape[1] % 4) % 4  # cause
        windows = F.pad(x, (0, missing)).unfold(1, 4, 4)
        return windows.sum(dim=2)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(2, 6),)
