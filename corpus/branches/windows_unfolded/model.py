"""A sequence is padded to whole windows of four, if it has to be; traced without padding, windows by unfold drop its tail."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        missing = -x.shape[1] % 4
        if missing > 0:  # cause
            x = F.pad(x, (0, missing))
        return x.unfold(1, 4, 4).amax(dim=2).sum(dim=1)


def example():
    return (torch.linspace(0.5, 2.0, 16).reshape(2, 8),)
