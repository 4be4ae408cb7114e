"""A Fourier transform as long as the next power of two: the graph has the example's."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        length = 2 ** (int(x.shape[-1]) - 1).bit_length()  # cause
        return torch.fft.rfft(x, n=length).abs()


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(2, 12),)
