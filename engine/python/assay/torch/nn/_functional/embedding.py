"""Rows of a table by their numbers."""
import warnings
from typing import Optional

from ..._package import torch
from .. import _operators as _nn
from .public import public

Tensor = torch.Tensor

one_hot = _nn.one_hot


def _no_grad_embedding_renorm_(weight: Tensor, input: Tensor, max_norm: float, norm_type: float) -> None:
    torch.embedding_renorm_(
        weight.detach(), input, max_norm, norm_type)


def _padding_row(weight: Tensor, padding_idx: Optional[int]) -> int:
    """The number of the row of padding, counted from the first; -1 where there is none."""
    if padding_idx is None:
        return -1
    within = True
    if padding_idx < 0:
        padding_idx = weight.size(0) + padding_idx
        within = padding_idx >= 0
    elif padding_idx > 0:
        within = padding_idx < weight.size(0)
    assert within, "padding_idx is none of the weight's rows"
    return padding_idx


@public
def embedding(
    input: Tensor, weight: Tensor, padding_idx: Optional[int] = None, max_norm: Optional[float] = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    padding_idx = _padding_row(weight, padding_idx)
    if max_norm is not None:
        input = input.contiguous()
        _no_grad_embedding_renorm_(
            weight, input, max_norm, norm_type)
    return torch.embedding(
        weight, input, padding_idx, scale_grad_by_freq, sparse)


def _bag_mode(mode: str, scale_grad_by_freq: bool, sparse: bool) -> int:
    """The operator's number of a mode."""
    if mode == "sum":
        return 0
    if mode == "mean":
        return 1
    if mode != "max":
        raise ValueError("embedding_bag: mode '{}' is none of 'sum', 'mean' and 'max'".format(mode))
    if scale_grad_by_freq or sparse:
        raise ValueError("embedding_bag: mode 'max' takes neither scale_grad_by_freq nor sparse")
    return 2


@public
def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Optional[Tensor] = None, max_norm: Optional[float] = None,
    norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Optional[Tensor] = None, include_last_offset: bool = False,
    padding_idx: Optional[int] = None
) -> Tensor:
    """The sum, mean or maximum of the rows of each bag."""
    if input.is_floating_point() and weight.dtype == torch.long:
        warnings.warn("embedding_bag takes the input first and the weight second; the other order is deprecated")
        weight, input = input, weight
    if per_sample_weights is not None:
        if per_sample_weights.size() != input.size():
            raise ValueError("embedding_bag: per_sample_weights is {}, the input {}: use one shape".format(
                per_sample_weights.shape, input.shape))
    dims = input.dim()
    if dims != 1 and dims != 2:
        raise ValueError("embedding_bag: an input has 1 dimension (with offsets) or 2, not {}".format(dims))
    if dims == 2:
        if offsets is not None:
            raise ValueError("embedding_bag: each row of a matrix is a bag, so it takes no offsets")
        offsets = torch.arange(
            0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape([-1])
    elif offsets is None:
        raise ValueError("embedding_bag: an input of 1 dimension needs offsets, at which its bags begin")
    elif offsets.dim() != 1:
        raise ValueError("embedding_bag: offsets have {} dimensions, not 1".format(offsets.dim()))
    mode_enum = _bag_mode(mode, scale_grad_by_freq, sparse)
    if max_norm is not None:
        _no_grad_embedding_renorm_(
            weight, input, max_norm, norm_type)
    if mode_enum != 0 and per_sample_weights is not None:
        raise NotImplementedError("embedding_bag: mode 'sum' takes per_sample_weights, '{}' not".format(mode))
    bags, _, _, _ = torch.embedding_bag(
        weight, input, offsets, scale_grad_by_freq, mode_enum, sparse, per_sample_weights, include_last_offset,
        padding_idx)
    return bags
