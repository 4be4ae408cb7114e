"""A scripted helper moves the positions to wherever the input is."""

import torch


@torch.jit.script_if_tracing
def beside(positions, x):
    return positions.to(x.device)


class Net(torch.nn.Module):
    def forward(self, x):
        return x + beside(torch.arange(x.shape[0]), x)


def example():
    return (torch.linspace(-1.0, 1.0, 7),)
