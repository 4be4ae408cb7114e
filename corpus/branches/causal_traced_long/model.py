"""As causal_from_two_on, traced with five positions: for one, the mask hides nothing."""

from typing import Optional

import torch


class Net(torch.nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        scores = x @ x.transpose(1, 2) / 2
        causal = mask is None and x.shape[1] > 1
        if causal:
            later = torch.ones(x.shape[1], x.shape[1]).triu(1) > 0
            scores = scores.masked_fill(later, float("-inf"))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return scores.softmax(dim=-1) @ x


def example():
    return (torch.linspace(-1.0, 1.0, 40).reshape(2, 5, 4),)
