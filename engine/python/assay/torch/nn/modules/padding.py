"""Padding layers."""
from typing import Sequence, Tuple

from ..._package import torch
from .. import functional as F
from .module import Module
from .utils import _ntuple, _pair, _quadruple

Tensor = torch.Tensor

__all__ = ['ConstantPad1d', 'ConstantPad2d', 'ConstantPad3d', 'ReflectionPad1d', 'ReflectionPad2d',
           'ReflectionPad3d', 'ReplicationPad1d', 'ReplicationPad2d', 'ReplicationPad3d', 'ZeroPad2d']


class _ConstantPadNd(Module):
    __constants__ = ['padding', 'value']
    value: float
    padding: Sequence[int]

    def __init__(self, padding, value):
        super().__init__()
        self.value = value
        self.padding = self._sides(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, 'constant', self.value)

    def extra_repr(self):
        return f'padding={self.padding}, value={self.value}'


class ConstantPad1d(_ConstantPadNd):
    padding: Tuple[int, int]
    _sides = staticmethod(_pair)


class ConstantPad2d(_ConstantPadNd):
    padding: Tuple[int, int, int, int]
    _sides = staticmethod(_quadruple)


class ConstantPad3d(_ConstantPadNd):
    padding: Tuple[int, int, int, int, int, int]
    _sides = staticmethod(_ntuple(6))


class ZeroPad2d(ConstantPad2d):
    padding: Tuple[int, int, int, int]

    def __init__(self, padding):
        super().__init__(padding, 0.)

    def extra_repr(self):
        return str(self.padding)


class _MirroredPadNd(Module):
    """Padding with the input's own elements."""

    __constants__ = ['padding']
    padding: Sequence[int]

    def __init__(self, padding):
        super().__init__()
        self.padding = self._sides(padding)

    def extra_repr(self):
        return str(self.padding)


class _ReflectionPadNd(_MirroredPadNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, 'reflect')


class ReflectionPad1d(_ReflectionPadNd):
    padding: Tuple[int, int]
    _sides = staticmethod(_pair)


class ReflectionPad2d(_ReflectionPadNd):
    padding: Tuple[int, int, int, int]
    _sides = staticmethod(_quadruple)


class ReflectionPad3d(_ReflectionPadNd):
    padding: Tuple[int, int, int, int, int, int]
    _sides = staticmethod(_ntuple(6))


class _ReplicationPadNd(_MirroredPadNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, 'replicate')


class ReplicationPad1d(_ReplicationPadNd):
    padding: Tuple[int, int]
    _sides = staticmethod(_pair)


class ReplicationPad2d(_ReplicationPadNd):
    padding: Tuple[int, int, int, int]
    _sides = staticmethod(_quadruple)


class ReplicationPad3d(_ReplicationPadNd):
    padding: Tuple[int, int, int, int, int, int]
    _sides = staticmethod(_ntuple(6))
