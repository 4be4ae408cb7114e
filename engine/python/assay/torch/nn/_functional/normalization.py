"""Normalization of activations."""
from typing import List, Optional

from ..._package import torch
from .. import _operators as _nn
from .public import public

Tensor = torch.Tensor


def _times_elements(count: int, size: List[int]) -> int:
    """So many times the number of elements that a channel has."""
    for dim in range(2, len(size)):
        count *= size[dim]
    return count


def _verify_batch_size(size: List[int]) -> None:
    if _times_elements(size[0], size) == 1:
        raise ValueError("training needs several values in a channel; the input's size is {}".format(size))


def _verify_spatial_size(size: List[int]) -> None:
    if _times_elements(1, size) == 1:
        raise ValueError("the statistics of the input need several values in each channel of each element; "
                         "its size is {}".format(size))


@public
def batch_norm(
    input: Tensor, running_mean: Optional[Tensor], running_var: Optional[Tensor], weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5
) -> Tensor:
    if training:
        _verify_batch_size(input.size())
    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, torch.backends.cudnn.enabled)


@public
def instance_norm(
    input: Tensor, running_mean: Optional[Tensor] = None, running_var: Optional[Tensor] = None,
    weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, use_input_stats: bool = True,
    momentum: float = 0.1, eps: float = 1e-5
) -> Tensor:
    if use_input_stats:
        _verify_spatial_size(input.size())
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, torch.backends.cudnn.enabled)


@public
def layer_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    eps: float = 1e-5
) -> Tensor:
    return torch.layer_norm(
        input, normalized_shape, weight, bias, eps, torch.backends.cudnn.enabled)


@public
def group_norm(
    input: Tensor, num_groups: int, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, eps: float = 1e-5
) -> Tensor:
    channels = input.size(0) * input.size(1)
    _verify_batch_size([channels // num_groups, num_groups] + list(input.size()[2:]))
    return torch.group_norm(
        input, num_groups, weight, bias, eps, torch.backends.cudnn.enabled)


@public
def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divides by a power of the mean square over `size` neighbouring channels."""
    dims = input.dim()
    if dims < 3:
        raise ValueError("local_response_norm: the input needs 3 dimensions or more, not {}".format(dims))
    if input.numel() == 0:
        return input
    before, after = size // 2, (size - 1) // 2
    div = input.mul(input).unsqueeze(1)
    if dims == 3:
        div = _nn.pad(div, (0, 0, before, after))
        div = _nn.avg_pool2d(div, (size, 1), stride=1).squeeze(1)
    else:
        sizes = input.size()
        div = div.view([sizes[0], 1, sizes[1], sizes[2], -1])
        div = _nn.pad(div, (0, 0, 0, 0, before, after))
        div = _nn.avg_pool3d(div, (size, 1, 1), stride=1).squeeze(1)
        div = div.view(sizes)
    div = div.mul(alpha).add(k).pow(beta)
    return input / div


def _lengths(input: Tensor, p: float, dim: int) -> Tensor:
    return input.norm(p, dim, keepdim=True)


@public
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Optional[Tensor] = None) -> Tensor:
    """Divides by the p-norm along `dim`."""
    if out is None:
        denom = _lengths(input, p, dim).clamp_min(eps).expand_as(input)
        return input / denom
    denom = _lengths(input, p, dim).clamp_min_(eps).expand_as(input)
    return torch.div(input, denom, out=out)
