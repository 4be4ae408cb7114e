"""A list is joined where it is long, else its first part is given back: tracing counts its parts."""

from typing import List

import torch


class Net(torch.nn.Module):
    def forward(self, parts: List[torch.Tensor]):
        return torch.cat(parts) if len(parts) > 2 else parts[0]  # cause


def example():
    x = torch.linspace(-1.0, 1.0, 3)
    return ([x, x + 1],)
