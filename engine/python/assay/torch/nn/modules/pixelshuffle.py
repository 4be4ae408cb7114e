"""Channels become pixels, and pixels channels."""
from ..._package import torch
from .. import functional as F
from .module import Module

Tensor = torch.Tensor

__all__ = ['PixelShuffle', 'PixelUnshuffle']


class PixelShuffle(Module):
    __constants__ = ['upscale_factor']
    upscale_factor: int

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f'upscale_factor={self.upscale_factor}'


class PixelUnshuffle(Module):
    __constants__ = ['downscale_factor']
    downscale_factor: int

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return f'downscale_factor={self.downscale_factor}'
