"""As cached_grid, where the coordinates are made anew from the sizes themselves."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        height, width = x.shape[2], x.shape[3]
        rows = torch.arange(height).reshape(-1, 1).expand(height, width)
        columns = torch.arange(width).expand(height, width)
        cells = torch.stack([columns, rows], dim=2).reshape(-1, 2)
        return x.flatten(2).transpose(1, 2) + cells


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(1, 2, 4, 6),)
