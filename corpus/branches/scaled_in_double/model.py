"""As a branch on the element type, traced in float64: float32 takes the other scale."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.dtype == torch.float64:  # cause
            return x * 2
        return x * 0.5


def example():
    return (torch.linspace(-1.0, 1.0, 12, dtype=torch.float64).reshape(3, 4),)
