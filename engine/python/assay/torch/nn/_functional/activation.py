"""Activations and dropout."""
import warnings
from typing import Optional

from ... import torch
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


@public
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (N, C, L) or (C, L)."""
    _check_probability(p)
    inp_dim = input.dim()
    if inp_dim not in (2, 3):
        raise RuntimeError("dropout1d: Expected 2D or 3D input, but received a {}D input".format(inp_dim))
    is_batched = inp_dim == 3
    if not is_batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _nn.feature_dropout_(input, p, training) if inplace else _nn.feature_dropout(input, p, training)
    if not is_batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result


@public
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (N, C, H, W)."""
    _check_probability(p)
    inp_dim = input.dim()
    if inp_dim not in (3, 4):
        warnings.warn("dropout2d: Received a {}-D input, which is deprecated; use dropout instead".format(inp_dim))
    if inp_dim == 3:
        warnings.warn("dropout2d: Received a 3D input, taken as (N, C, L); use dropout1d for that")
    return _nn.feature_dropout_(input, p, training) if inplace else _nn.feature_dropout(input, p, training)


@public
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels of (N, C, D, H, W) or (C, D, H, W)."""
    _check_probability(p)
    inp_dim = input.dim()
    if inp_dim not in (4, 5):
        warnings.warn("dropout3d: Received a {}-D input, which is deprecated; use dropout instead".format(inp_dim))
    is_batched = inp_dim == 5
    if not is_batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _nn.feature_dropout_(input, p, training) if inplace else _nn.feature_dropout(input, p, training)
    if not is_batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result


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
        raise RuntimeError("glu does not support scalars because halving size must be even")
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
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
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
    warnings.warn("Implicit dimension choice for {} has been deprecated. Change the call to include dim=X as an "
                  "argument.".format(name), stacklevel=stacklevel)
    if ndim == 0 or ndim == 1 or ndim == 3:
        ret = 0
    else:
        ret = 1
    return ret


@public
def softmin(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    if dtype is None:
        ret = (-input).softmax(dim)
    else:
        ret = (-input).softmax(dim, dtype=dtype)
    return ret


@public
def softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    if dtype is None:
        ret = input.softmax(dim)
    else:
        ret = input.softmax(dim, dtype=dtype)
    return ret


@public
def log_softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    if dtype is None:
        ret = input.log_softmax(dim)
    else:
        ret = input.log_softmax(dim, dtype=dtype)
    return ret


@public
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A softmax with Gumbel noise; with `hard` the largest becomes 1 and the others 0."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.")
    noise = -torch.empty_like(logits, memory_format=torch.legacy_contiguous_format).exponential_().log()
    y_soft = ((logits + noise) / tau).softmax(dim)
    if hard:
        index = y_soft.max(dim, keepdim=True)[1]
        y_hard = torch.zeros_like(logits, memory_format=torch.legacy_contiguous_format).scatter_(dim, index, 1.0)
        return y_hard - y_soft.detach() + y_soft
    return y_soft
