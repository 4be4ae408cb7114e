"""Half precision everywhere but on the CPU, where the graph was made."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.device.type != "cpu":  # cause
            x = x.half()
        return x * 2


def example():
    return (torch.linspace(-1.0, 1.0, 6),)
