"""The sign of a sum chooses between two functions; the graph keeps one."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # cause
            return x.abs().sqrt()
        return x.square()


def example():
    return (torch.linspace(0.5, 2.0, 6),)
