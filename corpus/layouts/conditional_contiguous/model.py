"""A copy is made only where the layout asks for it: the graph of a contiguous example has none."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if not x.is_contiguous():  # cause
            x = x.contiguous()
        return x.view(-1) * 2


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
