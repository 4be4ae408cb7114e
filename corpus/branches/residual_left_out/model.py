"""A third input that may be None: a graph made without it has no place for it."""

from typing import Optional

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(6, 3)

    def forward(self, a, b, skip: Optional[torch.Tensor] = None):
        y = self.mix(torch.cat([a, b], dim=1))
        if skip is not None:  # cause
            y = y + skip
        return y


def example():
    return torch.linspace(-1.0, 1.0, 12).reshape(3, 4), torch.linspace(0.5, 2.0, 6).reshape(3, 2)
