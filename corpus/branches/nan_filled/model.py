"""What is missing is NaN, and filled by the mean where there is any: an example has none."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        missing = torch.isnan(x)
        if missing.any():  # cause
            x = torch.where(missing, torch.nanmean(x), x)
        return x * 2


def example():
    return (torch.linspace(-1.0, 2.0, 5),)
