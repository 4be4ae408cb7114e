"""Convolutions."""
import math
from typing import List, Optional, Tuple

from ..._package import torch
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module
from .utils import _pair, _reverse_repeat_tuple, _single, _triple

Tensor = torch.Tensor

__all__ = ['Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d',
           'LazyConv1d', 'LazyConv2d', 'LazyConv3d', 'LazyConvTranspose1d', 'LazyConvTranspose2d',
           'LazyConvTranspose3d']

_PADDING_MODES = {'zeros', 'reflect', 'replicate', 'circular'}


def _check_groups(groups, **channels):
    if groups < 1:
        raise ValueError(f"groups is {groups}: it must be 1 or more")
    for name, count in channels.items():
        if count % groups:
            raise ValueError(f"{name} is {count}: {groups} groups need a multiple of {groups}")


def _check_padding(padding, padding_mode, stride):
    if padding_mode not in _PADDING_MODES:
        raise ValueError(f"no padding_mode {padding_mode!r}: choose one of {sorted(_PADDING_MODES)}")
    if not isinstance(padding, str):
        return
    if padding not in ('same', 'valid'):
        raise ValueError(f"no padding {padding!r}: give 'same', 'valid' or numbers")
    if padding == 'same' and set(stride) != {1}:
        raise ValueError(f"with a stride of {stride} no padding keeps the size as 'same' asks: use 1")


def _sides(padding, dilation, kernel_size):
    """The padding in front of and behind each dimension, as F.pad takes it."""
    if padding == 'same':
        return _same_padding(dilation, kernel_size)
    if padding == 'valid':
        return [0] * (2 * len(kernel_size))
    return _reverse_repeat_tuple(padding, 2)


def _same_padding(dilation, kernel_size):
    """The padding, as F.pad takes it, that keeps the size: what is odd goes behind."""
    padding = []
    for d, k in zip(reversed(dilation), reversed(kernel_size)):
        total = d * (k - 1)
        padding += [total // 2, total - total // 2]
    return padding


class _ConvNd(Module):
    __constants__ = ['stride', 'padding', 'dilation', 'groups', 'padding_mode', 'output_padding', 'in_channels',
                     'out_channels', 'kernel_size']

    in_channels: int
    _reversed_padding_repeated_twice: List[int]
    out_channels: int
    kernel_size: Tuple[int, ...]
    stride: Tuple[int, ...]
    padding: Tuple[int, ...]
    dilation: Tuple[int, ...]
    transposed: bool
    output_padding: Tuple[int, ...]
    groups: int
    padding_mode: str
    weight: Tensor
    bias: Optional[Tensor]

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                 groups, bias, padding_mode, device=None, dtype=None):
        super().__init__()
        _check_groups(groups, in_channels=in_channels, out_channels=out_channels)
        _check_padding(padding, padding_mode, stride)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = _sides(padding, dilation, kernel_size)

        first, second = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        self.weight = Parameter(torch.empty((first, second // groups, *kernel_size), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter('bias', None)
        self.reset_parameters()

    def reset_parameters(self):
        # With this `a` the weight, too, is uniform within 1 / sqrt(fan_in).
        init.kaiming_uniform_(self.weight, math.sqrt(5))
        fan_in = math.prod(self.weight.shape[1:])
        if self.bias is not None and fan_in > 0:
            bound = 1 / math.sqrt(fan_in)
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        parts = [f'{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}']
        for name, usual in (('padding', 0), ('dilation', 1), ('output_padding', 0)):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                parts.append(f'{name}={value}')
        if self.groups != 1:
            parts.append(f'groups={self.groups}')
        if self.bias is None:
            parts.append('bias=False')
        if self.padding_mode != 'zeros':
            parts.append(f'padding_mode={self.padding_mode}')
        return ', '.join(parts)

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault('padding_mode', 'zeros')


class _Convolution(_ConvNd):
    """A convolution that is not transposed."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        each = self._each
        super().__init__(in_channels, out_channels, each(kernel_size), each(stride),
                         padding if isinstance(padding, str) else each(padding), each(dilation), False, each(0),
                         groups, bias, padding_mode, device=device, dtype=dtype)

    def _padded(self, input: Tensor) -> Tensor:
        return F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)


class Conv1d(_Convolution):
    _each = staticmethod(_single)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode == 'zeros':
            return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        return F.conv1d(
            self._padded(input), weight, bias, self.stride, _single(0), self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_Convolution):
    _each = staticmethod(_pair)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode == 'zeros':
            return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        return F.conv2d(
            self._padded(input), weight, bias, self.stride, _pair(0), self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_Convolution):
    _each = staticmethod(_triple)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode == 'zeros':
            return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        return F.conv3d(
            self._padded(input), weight, bias, self.stride, _triple(0), self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


def _check_zeros(padding_mode: str) -> None:
    if padding_mode != 'zeros':
        raise ValueError("a transposed convolution pads with zeros, not by {}".format(padding_mode))


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                 groups, bias, padding_mode, device=None, dtype=None):
        _check_zeros(padding_mode)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, transposed,
                         output_padding, groups, bias, padding_mode, device=device, dtype=dtype)

    def _output_padding(self, input: Tensor, output_size: Optional[List[int]], stride: List[int], padding: List[int],
                        kernel_size: List[int], num_spatial_dims: int,
                        dilation: Optional[List[int]] = None) -> List[int]:
        """What must be added behind the smallest output to get `output_size`."""
        if output_size is None:
            return _single(self.output_padding)  # a list, also where it is a number
        rank = num_spatial_dims
        leading = 2 if input.dim() == rank + 2 else 1
        wanted = output_size[leading:] if len(output_size) == leading + rank else output_size
        if len(wanted) != rank:
            raise ValueError("output_size {} has {} entries: for {}D input give {}, or {} with all others"
                             .format(output_size, len(output_size), input.dim(), rank, leading + rank))

        missing = torch.jit.annotate(List[int], [])
        for axis in range(rank):
            spread = (kernel_size[axis] - 1) * (dilation[axis] if dilation is not None else 1)
            smallest = (input.size(axis + leading) - 1) * stride[axis] - 2 * padding[axis] + spread + 1
            extra = wanted[axis] - smallest
            if extra < 0 or extra >= stride[axis]:
                raise ValueError("output_size {}: entry {} must be at least {} and less than {}".format(
                    wanted, axis, smallest, smallest + stride[axis]))
            missing.append(extra)
        return missing


_ConvTransposeMixin = _ConvTransposeNd  # Its name of before, which packages import.


class _Transposed(_ConvTransposeNd):
    """A transposed convolution."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None):
        each = self._each
        super().__init__(in_channels, out_channels, each(kernel_size), each(stride), each(padding), each(dilation),
                         True, each(output_padding), groups, bias, padding_mode, device=device, dtype=dtype)


class ConvTranspose1d(_Transposed):
    _each = staticmethod(_single)

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != 'zeros':
            _check_zeros(self.padding_mode)
        assert isinstance(self.padding, tuple)
        num_spatial_dims = 1
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, num_spatial_dims, self.dilation)
        return F.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation)


class ConvTranspose2d(_Transposed):
    _each = staticmethod(_pair)

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != 'zeros':
            _check_zeros(self.padding_mode)
        assert isinstance(self.padding, tuple)
        num_spatial_dims = 2
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, num_spatial_dims, self.dilation)
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation)


class ConvTranspose3d(_Transposed):
    _each = staticmethod(_triple)

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != 'zeros':
            _check_zeros(self.padding_mode)
        assert isinstance(self.padding, tuple)
        num_spatial_dims = 3
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, num_spatial_dims, self.dilation)
        return F.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation)


class _LazyConvXdMixin(LazyModuleMixin):
    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def _wait_for_input(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._get_in_channels(input)
        _check_groups(self.groups, in_channels=self.in_channels)
        first, second = self.out_channels, self.in_channels
        if self.transposed:
            first, second = second, first
        self.weight.materialize((first, second // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _get_num_spatial_dims(self):
        return len(self.kernel_size)

    def _get_in_channels(self, input):
        unbatched = self._get_num_spatial_dims() + 1
        if input.dim() not in (unbatched, unbatched + 1):
            raise RuntimeError(f"Expected {unbatched}D (unbatched) or {unbatched + 1}D (batched) input to "
                               f"{type(self).__name__}, but got input of size: {input.shape}")
        return input.shape[0] if input.dim() == unbatched else input.shape[1]


class _LazyConvolution(_LazyConvXdMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode,
                         device=device, dtype=dtype)
        self._wait_for_input(out_channels, bias, device, dtype)


class _LazyTransposed(_LazyConvXdMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode='zeros', device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode,
                         device=device, dtype=dtype)
        self._wait_for_input(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConvolution, Conv1d):
    cls_to_become = Conv1d


class LazyConv2d(_LazyConvolution, Conv2d):
    cls_to_become = Conv2d


class LazyConv3d(_LazyConvolution, Conv3d):
    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyTransposed, ConvTranspose1d):
    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyTransposed, ConvTranspose2d):
    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyTransposed, ConvTranspose3d):
    cls_to_become = ConvTranspose3d
