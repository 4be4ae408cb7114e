"""What is not finite is refused; its trace lets it pass."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if not torch.isfinite(x).all():
            raise ValueError("not finite")  # cause
        return x / x.abs().sum()


def example():
    return (torch.linspace(0.5, 2.0, 5),)
