"""As refine_until_settled, traced with an example that settles at once: large residuals are refined once only."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(1, 1, 3, padding=1, bias=False)

    def forward(self, x):
        for _ in range(3):  # cause
            step = self.conv(x) * 0.5
            x = x + step
            if step.abs().mean() < 0.1:
                break
        return x


def example():
    return (torch.linspace(-0.01, 0.01, 12).reshape(2, 1, 6),)
