"""Windows over a signal by unfold, which follows its layout."""

import torch


class Net(torch.nn.Module):
    def forward(self, signal):
        return signal.unfold(0, 3, 1).mean(dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 7),)
