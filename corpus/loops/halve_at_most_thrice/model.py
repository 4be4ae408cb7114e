"""As halve_until_small, at most three times and without a question to Python."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        for _ in range(3):
            x = torch.where(x.abs().max() > 1.0, x * 0.5, x)
        return x


def example():
    return (torch.linspace(-5.0, 2.0, 6).reshape(2, 3),)
