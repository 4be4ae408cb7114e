"""Parts come as a list, which the scripted model takes at any length."""

from typing import List

import torch


class Net(torch.nn.Module):
    def forward(self, parts: List[torch.Tensor]):
        return torch.cat(parts).mean(dim=0)


def example():
    x = torch.linspace(-1.0, 1.0, 8).reshape(2, 4)
    return ([x, x + 1, x + 2],)
