"""Images: resizing, sampling by a grid, shuffles of channels and pixels, patches."""
import math
import warnings
from typing import List, Optional

from assay import _engine as _C
from ..._package import torch
from ..._jit_internal import BroadcastingList2
from .. import _operators as _nn
from ..modules.utils import _pair
from .pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from .public import named, overload, public

Tensor = torch.Tensor

pixel_shuffle = torch.pixel_shuffle
pixel_unshuffle = torch.pixel_unshuffle
channel_shuffle = torch.channel_shuffle
native_channel_shuffle = torch.native_channel_shuffle
pad = _nn.pad


def _resize1d(
    input: Tensor, mode: str, size: Optional[List[int]], scales: Optional[List[float]], corners: bool
) -> Tensor:
    if mode == "nearest":
        return _nn.upsample_nearest1d(input, size, scales)
    if mode == "nearest-exact":
        return _nn._upsample_nearest_exact1d(input, size, scales)
    if mode == "linear":
        return _nn.upsample_linear1d(input, size, corners, scales)
    assert size is not None
    return adaptive_avg_pool1d(input, size)


def _resize2d(
    input: Tensor, mode: str, size: Optional[List[int]], scales: Optional[List[float]], corners: bool,
    antialias: bool
) -> Tensor:
    if mode == "nearest":
        return _nn.upsample_nearest2d(input, size, scales)
    if mode == "nearest-exact":
        return _nn._upsample_nearest_exact2d(input, size, scales)
    if antialias and mode == "bilinear":
        return _nn._upsample_bilinear2d_aa(input, size, corners, scales)
    if mode == "bilinear":
        return _nn.upsample_bilinear2d(input, size, corners, scales)
    if antialias and mode == "bicubic":
        return _nn._upsample_bicubic2d_aa(input, size, corners, scales)
    if mode == "bicubic":
        return _nn.upsample_bicubic2d(input, size, corners, scales)
    assert size is not None
    return adaptive_avg_pool2d(input, size)


def _resize3d(
    input: Tensor, mode: str, size: Optional[List[int]], scales: Optional[List[float]], corners: bool
) -> Tensor:
    if mode == "nearest":
        return _nn.upsample_nearest3d(input, size, scales)
    if mode == "nearest-exact":
        return _nn._upsample_nearest_exact3d(input, size, scales)
    if mode == "trilinear":
        return _nn.upsample_trilinear3d(input, size, corners, scales)
    assert size is not None
    return adaptive_avg_pool3d(input, size)


def _check_mode(mode: str, rank: int) -> None:
    """Refuses a mode that is not for an input of `rank` spatial dimensions."""
    known = rank >= 1 and rank <= 3 and mode in ("nearest", "nearest-exact", "area")
    if rank == 1:
        known = known or mode == "linear"
    elif rank == 2:
        known = known or mode in ("bilinear", "bicubic")
    elif rank == 3:
        known = known or mode == "trilinear"
    if not known:
        raise NotImplementedError(
            "interpolate has no mode {} for {}D input: nearest, nearest-exact and area take 3D, 4D and 5D, "
            "linear 3D, bilinear and bicubic 4D, trilinear 5D".format(mode, rank + 2))


def _check_entries(name: str, entries: int, rank: int) -> None:
    """Refuses a list which has not one entry for each spatial dimension."""
    if entries != rank:
        raise ValueError("interpolate: {} has {} entries for an input of {} spatial dimensions: give one "
                         "number, or one for each".format(name, entries, rank))


def _traced_sizes(input, factors):
    """Sizes as tensors, so that a trace keeps how they follow from the input's."""
    # No name for a factor here: a trace would call its value by it.
    return [torch.floor((input.size(axis + 2).float() * torch.tensor(factors[axis], dtype=torch.float32)).float())
            for axis in range(len(factors))]


def _scaled_sizes(input: Tensor, factors: List[float]) -> List[int]:
    """The input's spatial sizes times their factors, rounded down."""
    if not torch.jit.is_scripting() and _C._get_tracing_state():
        return _traced_sizes(input, factors)
    return [int(math.floor(float(input.size(axis + 2)) * factors[axis])) for axis in range(len(factors))]


@overload
def interpolate(input: Tensor, size: Optional[int] = None, scale_factor: Optional[List[float]] = None, mode: str = 'nearest', align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False) -> Tensor:  # noqa: E501, F811
    pass


@overload
def interpolate(input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[List[float]] = None, mode: str = 'nearest', align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False) -> Tensor:  # noqa: E501, F811
    pass


@overload
def interpolate(input: Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None, mode: str = 'nearest', align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False) -> Tensor:  # noqa: E501, F811
    pass


@overload
def interpolate(input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None, mode: str = 'nearest', align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False) -> Tensor:  # noqa: E501, F811
    pass


@public
def interpolate(input: Tensor, size: Optional[int] = None, scale_factor: Optional[List[float]] = None, mode: str = 'nearest', align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False) -> Tensor:  # noqa: E501, F811
    """Resizes the spatial dimensions to `size`, or by `scale_factor`."""
    rank = input.dim() - 2
    weighted = mode not in ("nearest", "nearest-exact", "area")
    if align_corners is not None and not weighted:
        raise ValueError("interpolate: mode {} has no align_corners: leave it None, or choose linear, "
                         "bilinear, bicubic or trilinear".format(mode))
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate needs a size or a scale_factor, and not both")

    output_size: Optional[List[int]] = None
    factors: Optional[List[float]] = None
    if size is not None:
        if isinstance(size, (list, tuple)):
            _check_entries("size", len(size), rank)
            output_size = size
        else:
            output_size = [size for _ in range(rank)]
    if scale_factor is not None:
        if isinstance(scale_factor, (list, tuple)):
            _check_entries("scale_factor", len(scale_factor), rank)
            factors = scale_factor
        else:
            factors = [scale_factor for _ in range(rank)]

    by_size = recompute_scale_factor is not None and recompute_scale_factor
    if by_size and size is not None:
        raise ValueError("interpolate: recompute_scale_factor needs a scale_factor, but size is given")
    if (by_size or mode == "area") and factors is not None:  # area's operator takes no factors
        output_size = _scaled_sizes(input, factors)
        factors = None

    if antialias and not (rank == 2 and mode in ("bilinear", "bicubic")):
        raise ValueError("interpolate: antialias is for 4D input and mode bilinear or bicubic, not for {}D "
                         "and {}".format(rank + 2, mode))
    _check_mode(mode, rank)
    corners = align_corners is not None and align_corners
    if rank == 1:
        return _resize1d(input, mode, output_size, factors, corners)
    if rank == 2:
        return _resize2d(input, mode, output_size, factors, corners, antialias)
    return _resize3d(input, mode, output_size, factors, corners)


def _superseded(name: str):
    warnings.warn(f"torch.nn.functional.{name} stays for old code only: call interpolate", stacklevel=3)


@overload
def upsample(input: Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None, mode: str = "nearest", align_corners: Optional[bool] = None) -> Tensor:  # noqa: E501, F811
    pass


@overload
def upsample(input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None, mode: str = "nearest", align_corners: Optional[bool] = None) -> Tensor:  # noqa: E501, F811
    pass


@named
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):  # noqa: F811
    _superseded("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


@overload
def upsample_nearest(input: Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None) -> Tensor:  # noqa: E501, F811
    pass


@overload
def upsample_nearest(input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None) -> Tensor:  # noqa: E501, F811
    pass


@named
def upsample_nearest(input, size=None, scale_factor=None):  # noqa: F811
    _superseded("upsample_nearest")
    return interpolate(input, size, scale_factor)


@overload
def upsample_bilinear(input: Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None) -> Tensor:  # noqa: E501, F811
    pass


@overload
def upsample_bilinear(input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None) -> Tensor:  # noqa: E501, F811
    pass


@overload
def upsample_bilinear(input: Tensor, size: Optional[int] = None, scale_factor: Optional[List[float]] = None) -> Tensor:  # noqa: E501, F811
    pass


@overload
def upsample_bilinear(input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[List[float]] = None) -> Tensor:  # noqa: E501, F811
    pass


@named
def upsample_bilinear(input, size=None, scale_factor=None):  # noqa: F811
    _superseded("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _corners_or_default(align_corners: Optional[bool], name: str) -> bool:
    if align_corners is None:
        warnings.warn("{}: align_corners is not given and taken as False, while PyTorch before 1.3 took it "
                      "as True: say which".format(name))
        return False
    return align_corners


@public
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros",
    align_corners: Optional[bool] = None
) -> Tensor:
    """The input at the places that `grid` names, each coordinate from -1 to 1."""
    modes = ["bilinear", "nearest", "bicubic"]  # each at the number under which the operator knows it
    outside = ["zeros", "border", "reflection"]
    if mode not in modes:
        raise ValueError("grid_sample has no mode {}: choose one of {}".format(mode, modes))
    if padding_mode not in outside:
        raise ValueError("grid_sample has no padding_mode {}: choose one of {}".format(padding_mode, outside))
    corners = _corners_or_default(align_corners, "grid_sample")
    return torch.grid_sampler(input, grid, modes.index(mode), outside.index(padding_mode), corners)


@public
def affine_grid(theta: Tensor, size: List[int], align_corners: Optional[bool] = None) -> Tensor:
    """The grid for grid_sample that an affine map of the output's places gives."""
    corners = _corners_or_default(align_corners, "affine_grid")
    if not theta.is_floating_point():
        raise ValueError("affine_grid: theta holds {}, not floating point numbers".format(theta.dtype))
    rank = len(size) - 2
    if rank != 2 and rank != 3:
        raise NotImplementedError("affine_grid: size is {}, not (N, C, H, W) or (N, C, D, H, W)".format(size))
    if theta.dim() != 3 or theta.shape[-2] != rank or theta.shape[-1] != rank + 1:
        raise ValueError("affine_grid: for size {} theta must be of shape (N, {}, {}), but is of {}".format(
            size, rank, rank + 1, theta.shape))
    if corners and min(size[2:]) == 1:
        warnings.warn("affine_grid with align_corners=True has only the centre for a dimension of size 1")
    elif min(size) < 1:
        raise ValueError("affine_grid: every entry of size must be at least 1, but size is {}".format(size))
    return torch.affine_grid_generator(theta, size, corners)


@public
def unfold(
    input: Tensor, kernel_size: BroadcastingList2[int], dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0, stride: BroadcastingList2[int] = 1
) -> Tensor:
    return _nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


@public
def fold(
    input: Tensor, output_size: BroadcastingList2[int], kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1, padding: BroadcastingList2[int] = 0, stride: BroadcastingList2[int] = 1
) -> Tensor:
    return _nn.col2im(
        input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))
