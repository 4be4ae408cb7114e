"""Rows are viewed where they lie side by side and copied where not."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        rows = x.view(x.size(0), -1) if x.is_contiguous() else x.reshape(x.size(0), -1)  # cause
        return rows.cumsum(1)


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(2, 3, 4),)
