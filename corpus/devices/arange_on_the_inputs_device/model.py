"""arange on the input's device stays on the device of the export."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        positions = torch.arange(x.shape[0], device=x.device)  # cause
        return x + positions


def example():
    return (torch.linspace(-1.0, 1.0, 7),)
