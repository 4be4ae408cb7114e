"""Pooling and its partial inverse."""
from typing import List, Optional, Tuple, Union

from ..._package import torch
from ..._jit_internal import BroadcastingList1, BroadcastingList2, BroadcastingList3, boolean_dispatch
from .. import _operators as _nn
from ..modules.utils import _list_with_default, _pair, _single, _triple
from .activation import relu
from .public import public, _MODULE

Tensor = torch.Tensor

avg_pool1d = torch.avg_pool1d
avg_pool2d = _nn.avg_pool2d
avg_pool3d = _nn.avg_pool3d
adaptive_avg_pool1d = torch.adaptive_avg_pool1d


def _by_return_indices(name, index, with_indices, without):
    """The function `name`, which gives indices too where its argument return_indices says so."""
    return boolean_dispatch(arg_name="return_indices", arg_index=index, default=False, if_true=with_indices,
                            if_false=without, module_name=_MODULE, func_name=name)


@public
def max_pool1d_with_indices(
    input: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0, dilation: BroadcastingList1[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    if stride is None:
        stride = torch.jit.annotate(List[int], [])
    return torch.max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


@public
def _max_pool1d(
    input: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0, dilation: BroadcastingList1[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False
) -> Tensor:
    if stride is None:
        stride = torch.jit.annotate(List[int], [])
    return torch.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)


@public
def max_pool2d_with_indices(
    input: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0, dilation: BroadcastingList2[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    if stride is None:
        stride = torch.jit.annotate(List[int], [])
    return _nn.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


@public
def _max_pool2d(
    input: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0, dilation: BroadcastingList2[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False
) -> Tensor:
    if stride is None:
        stride = torch.jit.annotate(List[int], [])
    return torch.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


@public
def max_pool3d_with_indices(
    input: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0, dilation: BroadcastingList3[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    if stride is None:
        stride = torch.jit.annotate(List[int], [])
    return _nn.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


@public
def _max_pool3d(
    input: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0, dilation: BroadcastingList3[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False
) -> Tensor:
    if stride is None:
        stride = torch.jit.annotate(List[int], [])
    return torch.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool1d = _by_return_indices("max_pool1d", 6, max_pool1d_with_indices, _max_pool1d)
max_pool2d = _by_return_indices("max_pool2d", 6, max_pool2d_with_indices, _max_pool2d)
max_pool3d = _by_return_indices("max_pool3d", 6, max_pool3d_with_indices, _max_pool3d)


def _fractional_size(
    input: Tensor, output_size: Optional[List[int]], ratios: Optional[List[float]]
) -> List[int]:
    """The size that is given, or the ratios' part of the input's."""
    if output_size is not None:
        return output_size
    if ratios is None:
        raise ValueError("fractional_max_pool needs an output_size or an output_ratio, but both are None")
    return [int(input.size(axis - len(ratios)) * ratios[axis]) for axis in range(len(ratios))]


def _interval_starts(input: Tensor, given: Optional[Tensor], rank: int) -> Tensor:
    """The random samples that place the windows: for each plane one in each of `rank` dimensions."""
    if given is not None:
        return given
    n_batch = input.size(0) if input.dim() > rank + 1 else 1
    return torch.rand([n_batch, input.size(-1 - rank), rank], dtype=input.dtype, device=input.device)


@public
def fractional_max_pool2d_with_indices(
    input: Tensor, kernel_size: BroadcastingList2[int], output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None
) -> Tuple[Tensor, Tensor]:
    ratios = _pair(output_ratio) if output_ratio is not None else None
    size = _fractional_size(input, output_size, ratios)
    _random_samples = _interval_starts(input, _random_samples, 2)
    return _nn.fractional_max_pool2d(input, kernel_size, size, _random_samples)


@public
def _fractional_max_pool2d(
    input: Tensor, kernel_size: BroadcastingList2[int], output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None
) -> Tensor:
    pooled, _ = fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
    return pooled


@public
def fractional_max_pool3d_with_indices(
    input: Tensor, kernel_size: BroadcastingList3[int], output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None
) -> Tuple[Tensor, Tensor]:
    ratios = _triple(output_ratio) if output_ratio is not None else None
    size = _fractional_size(input, output_size, ratios)
    _random_samples = _interval_starts(input, _random_samples, 3)
    return _nn.fractional_max_pool3d(input, kernel_size, size, _random_samples)


@public
def _fractional_max_pool3d(
    input: Tensor, kernel_size: BroadcastingList3[int], output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None
) -> Tensor:
    pooled, _ = fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
    return pooled


fractional_max_pool2d = _by_return_indices(
    "fractional_max_pool2d", 4, fractional_max_pool2d_with_indices, _fractional_max_pool2d)
fractional_max_pool3d = _by_return_indices(
    "fractional_max_pool3d", 4, fractional_max_pool3d_with_indices, _fractional_max_pool3d)


@public
def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool1d(input, output_size)


@public
def _adaptive_max_pool1d(input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False) -> Tensor:
    pooled, _ = adaptive_max_pool1d_with_indices(input, output_size)
    return pooled


@public
def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return _nn.adaptive_max_pool2d(input, _list_with_default(output_size, input.size()))


@public
def _adaptive_max_pool2d(input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False) -> Tensor:
    pooled, _ = adaptive_max_pool2d_with_indices(input, output_size)
    return pooled


@public
def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return _nn.adaptive_max_pool3d(input, _list_with_default(output_size, input.size()))


@public
def _adaptive_max_pool3d(input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False) -> Tensor:
    pooled, _ = adaptive_max_pool3d_with_indices(input, output_size)
    return pooled


adaptive_max_pool1d = _by_return_indices(
    "adaptive_max_pool1d", 2, adaptive_max_pool1d_with_indices, _adaptive_max_pool1d)
adaptive_max_pool2d = _by_return_indices(
    "adaptive_max_pool2d", 2, adaptive_max_pool2d_with_indices, _adaptive_max_pool2d)
adaptive_max_pool3d = _by_return_indices(
    "adaptive_max_pool3d", 2, adaptive_max_pool3d_with_indices, _adaptive_max_pool3d)


@public
def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    return _nn.adaptive_avg_pool2d(input, _list_with_default(output_size, input.size()))


@public
def adaptive_avg_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    return _nn.adaptive_avg_pool3d(input, _list_with_default(output_size, input.size()))


def _norm_of_means(out: Tensor, norm_type: Union[int, float], count: int) -> Tensor:
    """The norm over each window of `count` elements, from the mean of their powers."""
    return (torch.sign(out) * relu(torch.abs(out))).mul(count).pow(1.0 / norm_type)


@public
def lp_pool2d(
    input: Tensor, norm_type: Union[int, float], kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None, ceil_mode: bool = False
) -> Tensor:
    height, width = _pair(kernel_size)
    if stride is None:
        out = avg_pool2d(input.pow(norm_type), kernel_size, ceil_mode=ceil_mode)
    else:
        out = avg_pool2d(input.pow(norm_type), kernel_size, stride, ceil_mode=ceil_mode)
    return _norm_of_means(out, norm_type, height * width)


@public
def lp_pool1d(
    input: Tensor, norm_type: Union[int, float], kernel_size: int,
    stride: Optional[BroadcastingList1[int]] = None, ceil_mode: bool = False
) -> Tensor:
    if stride is None:
        out = avg_pool1d(input.pow(norm_type), kernel_size, ceil_mode=ceil_mode)
    else:
        out = avg_pool1d(input.pow(norm_type), kernel_size, stride, ceil_mode=ceil_mode)
    return _norm_of_means(out, norm_type, kernel_size)


def _unpool_output_size(
    input: Tensor, kernel_size: List[int], stride: List[int], padding: List[int],
    output_size: Optional[List[int]]
) -> List[int]:
    """The size that pooling came from: what the arguments give, or `output_size` where it could be, too."""
    rank = len(kernel_size)
    lengths = input.size()
    usual = [(lengths[axis - rank] - 1) * stride[axis] + kernel_size[axis] - 2 * padding[axis]
             for axis in range(rank)]
    if output_size is None:
        return usual
    wanted = output_size[2:] if len(output_size) == rank + 2 else output_size
    if len(wanted) != rank:
        raise ValueError("max_unpool: output_size {} has {} entries: give one for each of the {} spatial "
                         "dimensions, with or without batch and channels".format(
                             output_size, len(output_size), rank))
    for axis in range(rank):
        if not (-stride[axis] < wanted[axis] - usual[axis] < stride[axis]):
            raise ValueError("max_unpool: output_size {} is too far from {}: entry {} must differ by less "
                             "than the stride {}".format(wanted, usual, axis, stride[axis]))
    return wanted


@public
def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None, padding: BroadcastingList1[int] = 0,
    output_size: Optional[BroadcastingList1[int]] = None
) -> Tensor:
    window, margin = _single(kernel_size), _single(padding)
    steps = window if stride is None else _single(stride)
    size = _unpool_output_size(input, window, steps, margin, output_size)
    plane = [size[0], 1]  # as an image one pixel wide
    return _nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), plane).squeeze(-1)


@public
def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None, padding: BroadcastingList2[int] = 0,
    output_size: Optional[BroadcastingList2[int]] = None
) -> Tensor:
    window, margin = _pair(kernel_size), _pair(padding)
    steps = window if stride is None else _pair(stride)
    size = _unpool_output_size(input, window, steps, margin, output_size)
    return _nn.max_unpool2d(input, indices, size)


@public
def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None, padding: BroadcastingList3[int] = 0,
    output_size: Optional[BroadcastingList3[int]] = None
) -> Tensor:
    window, margin = _triple(kernel_size), _triple(padding)
    steps = window if stride is None else _triple(stride)
    size = _unpool_output_size(input, window, steps, margin, output_size)
    return _nn.max_unpool3d(input, indices, size, steps, margin)
