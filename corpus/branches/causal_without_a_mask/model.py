"""Attention looks ahead unless there is a mask or one place only: traced with neither at one place, it always does."""

from typing import Optional

import torch


class Net(torch.nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        scores = x @ x.transpose(1, 2)
        causal = mask is None and x.shape[1] > 1  # cause
        if causal:
            ahead = torch.ones_like(scores).triu(1) == 1
            scores = scores.masked_fill(ahead, -1e9)
        if mask is not None:
            scores = scores + mask
        return scores.softmax(dim=2) @ x


def example():
    return (torch.linspace(-1.0, 1.0, 8).reshape(2, 1, 4),)
