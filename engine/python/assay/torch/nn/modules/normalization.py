"""Normalization that looks at one sample alone."""
from numbers import Integral
from typing import Tuple

from ..._package import torch
from .. import functional as F
from .. import init
from .batchnorm import _add_scale_and_shift
from .module import Module

Tensor = torch.Tensor

__all__ = ['LocalResponseNorm', 'CrossMapLRN2d', 'LayerNorm', 'GroupNorm']


class LocalResponseNorm(Module):
    """Divides by a power of the mean square over neighbouring channels."""

    __constants__ = ['size', 'alpha', 'beta', 'k']
    size: int
    alpha: float
    beta: float
    k: float

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f'{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}'


class CrossMapLRN2d(Module):
    """An older local response normalization for (N, C, H, W). Its windows keep the first channel, as PyTorch's do."""

    size: int
    alpha: float
    beta: float
    k: float

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        assert input.dim() == 4
        squares = input.pow(2)
        channels = input.size(1)
        reach = (self.size - 1) // 2
        sums = [squares[:, :reach + 1].sum(1)]
        for c in range(1, channels):
            window = sums[-1]
            if c + reach < channels:
                window = window + squares[:, c + reach]
            if c > reach + 1:
                window = window - squares[:, c - reach - 1]
            sums.append(window)
        scale = torch.stack(sums, 1).mul(self.alpha / self.size).add(self.k)
        return input * scale.pow(-self.beta)

    def extra_repr(self):
        return f'{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}'


class LayerNorm(Module):
    """Normalizes over the last dimensions, which have `normalized_shape`."""

    __constants__ = ['normalized_shape', 'eps', 'elementwise_affine']
    normalized_shape: Tuple[int, ...]
    eps: float
    elementwise_affine: bool

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        single = isinstance(normalized_shape, Integral)
        self.normalized_shape = (normalized_shape,) if single else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        _add_scale_and_shift(self, elementwise_affine, self.normalized_shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        if self.elementwise_affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}'


class GroupNorm(Module):
    """Normalizes over groups of channels."""

    __constants__ = ['num_groups', 'num_channels', 'eps', 'affine']
    num_groups: int
    num_channels: int
    eps: float
    affine: bool

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f'{num_channels} channels cannot make {num_groups} equal groups')
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        _add_scale_and_shift(self, affine, (num_channels,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        if self.affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}'
