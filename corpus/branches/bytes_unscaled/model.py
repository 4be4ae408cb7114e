"""As bytes_or_floats, traced with floats: bytes are not scaled."""

import torch


class Net(torch.nn.Module):
    def forward(self, pixels):
        if pixels.dtype == torch.uint8:  # cause
            pixels = pixels.float() / 255
        return (pixels - 0.5) * 2


def example():
    return (torch.linspace(0.0, 1.0, 12).reshape(4, 3),)
