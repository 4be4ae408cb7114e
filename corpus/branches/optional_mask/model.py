"""A mask that may be None: a graph made with one insists on it."""

from typing import Optional

import torch


class Net(torch.nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if mask is not None:  # cause
            x = x.masked_fill(mask, 0.0)
        return x.sum(dim=1)


def example():
    return torch.linspace(0.5, 2.0, 12).reshape(3, 4), torch.tensor([True, False, False, True])
