"""Activations and dropout."""
import warnings
from typing import Optional

from ..._package import torch
from .. import _operators as _nn
from .public import named, public

Tensor = torch.Tensor

threshold_ = torch.threshold_
relu_ = torch.relu_
hardtanh_ = _nn.hardtanh_
elu_ = _nn.elu_
selu_ = torch.selu_
celu_ = torch.celu_
leaky_relu_ = _nn.leaky_relu_
rrelu_ = torch.rrelu_
prelu = torch.prelu
logsigmoid = _nn.log_sigmoid
gelu = _nn.gelu
hardshrink = torch.hardshrink
softplus = _nn.softplus
softshrink = _nn.softshrink


def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))


@public
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    return torch.dropout_(input, p, training) if inplace else torch.dropout(input, p, training)


@public
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    _check_probability(p)
    return torch.alpha_dropout_(input, p, training) if inplace else torch.alpha_dropout(input, p, training)


@public
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    _check_probability(p)
    if inplace:
        return torch.feature_alpha_dropout_(input, p, training)
    return torch.feature_alpha_dropout(input, p, training)


def _drop_channels(input: Tensor, batched: bool, p: float, training: bool, inplace: bool) -> Tensor:
    """Zeroes whole channels of a batch, or of one element of it."""
    if batched and inplace:
        return _nn.feature_dropout_(input, p, training)
    if batched:
        return _nn.feature_dropout(input, p, training)
    if inplace:
        input = input.unsqueeze_(0)
        result = _nn.feature_dropout_(input, p, training)
        return result.squeeze_(0)
    input = input.unsqueeze(0)
    result = _nn.feature_dropout(input, p, training)
    return result.squeeze(0)


@public
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (N, C, L) or (C, L)."""
    _check_probability(p)
    dims = input.dim()
    if dims not in (2, 3):
        raise RuntimeError("dropout1d: (N, C, L) or (C, L) is needed, not {} dimensions".format(dims))
    return _drop_channels(input, dims == 3, p, training, inplace)


@public
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (N, C, H, W)."""
    _check_probability(p)
    dims = input.dim()
    if dims not in (3, 4):
        warnings.warn("dropout2d: an input of {} dimensions is deprecated; use dropout instead".format(dims))
    if dims == 3:
        warnings.warn("dropout2d: an input of 3 dimensions is taken as (N, C, L); use dropout1d for that")
    return _drop_channels(input, True, p, training, inplace)


@public
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (N, C, D, H, W) or (C, D, H, W)."""
    _check_probability(p)
    dims = input.dim()
    if dims not in (4, 5):
        warnings.warn("dropout3d: an input of {} dimensions is deprecated; use dropout instead".format(dims))
    return _drop_channels(input, dims == 5, p, training, inplace)


@public
def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.threshold_(input, threshold, value)
    return torch.threshold(input, threshold, value)


threshold = _threshold


@public
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.relu_(input)
    return torch.relu(input)


@public
def glu(input: Tensor, dim: int = -1) -> Tensor:
    if input.dim() == 0:
        raise RuntimeError("glu: a scalar has no dimension to halve")
    return _nn.glu(input, dim)


@public
def hardtanh(input: Tensor, min_val: float = -1., max_val: float = 1., inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.hardtanh_(input, min_val, max_val)
    return _nn.hardtanh(input, min_val, max_val)


@public
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.relu6_(input)
    return _nn.relu6(input)


@public
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.elu_(input, alpha)
    return _nn.elu(input, alpha)


@public
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.selu_(input)
    return torch.selu(input)


@public
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.celu_(input, alpha)
    return torch.celu(input, alpha)


@public
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.leaky_relu_(input, negative_slope)
    return _nn.leaky_relu(input, negative_slope)


@public
def rrelu(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    if inplace:
        return torch.rrelu_(input, lower, upper, training)
    return torch.rrelu(input, lower, upper, training)


@public
def tanhshrink(input):
    return input - input.tanh()


@public
def softsign(input):
    return input / (input.abs() + 1)


@named
def tanh(input):
    return input.tanh()


@named
def sigmoid(input):
    return input.sigmoid()


@public
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.hardsigmoid_(input)
    return _nn.hardsigmoid(input)


@public
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.silu_(input)
    return _nn.silu(input)


@public
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.mish_(input)
    return _nn.mish(input)


@public
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return _nn.hardswish_(input)
    return _nn.hardswish(input)


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn("{}: choosing a dimension by the input's is deprecated; pass dim".format(name),
                  stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


@public
def softmin(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    along = dim if dim is not None else _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(along) if dtype is None else (-input).softmax(along, dtype=dtype)


@public
def softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    along = dim if dim is not None else _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(along) if dtype is None else input.softmax(along, dtype=dtype)


@public
def log_softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    along = dim if dim is not None else _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(along) if dtype is None else input.log_softmax(along, dtype=dtype)


@public
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A softmax with Gumbel noise; with `hard` the largest becomes 1 and the others 0."""
    if eps != 1e-10:
        warnings.warn("gumbel_softmax: eps is deprecated and changes nothing")
    layout = torch.legacy_contiguous_format
    gumbels = -torch.empty_like(logits, memory_format=layout).exponential_().log()
    gumbels = (logits + gumbels) / tau
    y_soft = gumbels.softmax(dim)
    if not hard:
        return y_soft
    index = y_soft.max(dim, keepdim=True)[1]
    y_hard = torch.zeros_like(logits, memory_format=layout).scatter_(dim, index, 1.0)
    return y_hard - y_soft.detach() + y_soft
