"""As causal_without_a_mask, traced with a mask: without one the graph fails for want of an argument."""

from typing import Optional

import torch


class Net(torch.nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        scores = x @ x.transpose(1, 2)
        causal = mask is None and x.shape[1] > 1
        if causal:
            ahead = torch.ones_like(scores).triu(1) == 1
            scores = scores.masked_fill(ahead, -1e9)
        if mask is not None:  # cause
            scores = scores + mask
        return scores.softmax(dim=2) @ x


def example():
    x = torch.linspace(-1.0, 1.0, 24).reshape(2, 3, 4)
    return x, torch.zeros(3, 3)
