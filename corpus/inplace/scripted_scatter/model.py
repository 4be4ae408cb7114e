"""Rows that two branches worked on are merged again by a scripted helper that writes in place."""

import torch


@torch.jit.script
def merge(first: torch.Tensor, second: torch.Tensor, level: torch.Tensor):
    out = torch.zeros(level.size(0), first.size(1))
    out.masked_scatter_((level == 0).unsqueeze(1), first)
    out.masked_scatter_((level == 1).unsqueeze(1), second)
    return out


class Net(torch.nn.Module):
    def forward(self, x, level):
        return merge(x[level == 0] * 2, x[level == 1] + 1, level)


def example():
    return torch.linspace(-1.0, 1.0, 12).reshape(4, 3), torch.tensor([0, 1, 1, 0])
