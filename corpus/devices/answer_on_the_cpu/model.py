"""The answer is asked for on the CPU, wherever the input is."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.sigmoid().cpu().round()


def example():
    return (torch.linspace(-1.0, 1.0, 7),)
