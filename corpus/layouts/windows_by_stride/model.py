"""Windows over a signal by its stride, a number that is the example's for every layout."""

import torch


class Net(torch.nn.Module):
    def forward(self, signal):
        step = signal.stride(0)  # cause
        windows = signal.as_strided((signal.shape[0] - 2, 3), (step, step))
        return windows.mean(dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 7),)
