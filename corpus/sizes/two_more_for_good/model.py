"""A sequence of six gets two places more, a number for good: whole windows get them, too."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        missing = -int(x.shape[1]) % 4  # cause
        return F.pad(x, (0, missing)).cumsum(dim=1)


def example():
    return (torch.linspace(0.5, 2.0, 12).reshape(2, 6),)
