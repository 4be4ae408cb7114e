"""As window_padding, from a sequence of six: padding by nothing is what the other side comes to."""

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        missing = (4 - x.shape[1] % 4) % 4
        if missing > 0:
            x = F.pad(x, (0, 0, 0, missing))
        return x.view(x.shape[0], x.shape[1] // 4, 4, 3).mean(dim=2)


def example():
    return (torch.linspace(-1.0, 1.0, 36).reshape(2, 6, 3),)
