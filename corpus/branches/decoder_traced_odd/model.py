"""As decoder_joins_skip, traced at an odd length: resizing to the same length changes nothing."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        up = F.interpolate(F.max_pool1d(x, 2), scale_factor=2.0)
        if up.shape[2] != x.shape[2]:
            up = F.interpolate(up, size=x.shape[2:])
        return torch.cat([up, x], dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 14).reshape(1, 2, 7),)
