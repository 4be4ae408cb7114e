"""Resizing layers."""
from typing import Optional

from ..._package import torch
from .. import functional as F
from ..common_types import _ratio_any_t, _size_any_t
from .module import Module

Tensor = torch.Tensor

__all__ = ['Upsample', 'UpsamplingNearest2d', 'UpsamplingBilinear2d']


def _as_floats(factor):
    if isinstance(factor, tuple):
        return tuple(map(float, factor))
    return float(factor) if factor else None


class Upsample(Module):
    __constants__ = ['size', 'scale_factor', 'mode', 'align_corners', 'name', 'recompute_scale_factor']
    name: str
    size: Optional[_size_any_t]
    scale_factor: Optional[_ratio_any_t]
    mode: str
    align_corners: Optional[bool]
    recompute_scale_factor: Optional[bool]

    def __init__(self, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        self.scale_factor = _as_floats(scale_factor)
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners,
                             recompute_scale_factor=self.recompute_scale_factor)

    def extra_repr(self):
        by = f'size={self.size}' if self.scale_factor is None else f'scale_factor={self.scale_factor}'
        return f'{by}, mode={self.mode}'


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode='nearest')


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode='bilinear', align_corners=True)
