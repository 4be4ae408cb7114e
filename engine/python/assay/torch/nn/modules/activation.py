"""Activation layers."""
import warnings
from typing import Optional, Tuple

from ..._package import torch
from .. import _operators as _nn
from .. import functional as F
from .. import init
from .._functional.attention import _check_padding_mask
from ..parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module

Tensor = torch.Tensor

__all__ = ['Threshold', 'ReLU', 'RReLU', 'Hardtanh', 'ReLU6', 'Sigmoid', 'Hardsigmoid', 'Tanh', 'SiLU', 'Mish',
           'Hardswish', 'ELU', 'CELU', 'SELU', 'GLU', 'GELU', 'Hardshrink', 'LeakyReLU', 'LogSigmoid', 'Softplus',
           'Softshrink', 'MultiheadAttention', 'PReLU', 'Softsign', 'Tanhshrink', 'Softmin', 'Softmax', 'Softmax2d',
           'LogSoftmax']


def _listed(module, *parts):
    """An activation's line in a repr: its numbers, then whether it works in place."""
    return ', '.join([*parts, *(['inplace=True'] if module.inplace else [])])


def _renamed(name, value, old_name, old_value):
    """An argument's value, which may still come under the name that it had."""
    if old_value is None:
        return value
    warnings.warn(f"{old_name} is deprecated; pass {name}")
    return old_value


class Threshold(Module):
    __constants__ = ['threshold', 'value', 'inplace']
    threshold: float
    value: float
    inplace: bool

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self):
        return _listed(self, f'threshold={self.threshold}', f'value={self.value}')


class ReLU(Module):
    __constants__ = ['inplace']
    inplace: bool

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, inplace=self.inplace)

    def extra_repr(self):
        return _listed(self)


class RReLU(Module):
    __constants__ = ['lower', 'upper', 'inplace']
    lower: float
    upper: float
    inplace: bool

    def __init__(self, lower=1. / 8, upper=1. / 3, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        return _listed(self, f'lower={self.lower}', f'upper={self.upper}')


class Hardtanh(Module):
    __constants__ = ['min_val', 'max_val', 'inplace']
    min_val: float
    max_val: float
    inplace: bool

    def __init__(self, min_val=-1., max_val=1., inplace=False, min_value=None, max_value=None):
        super().__init__()
        self.min_val = _renamed('min_val', min_val, 'min_value', min_value)
        self.max_val = _renamed('max_val', max_val, 'max_value', max_value)
        self.inplace = inplace
        assert self.max_val > self.min_val, f"max_val {self.max_val} has to be above min_val {self.min_val}"

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        return _listed(self, f'min_val={self.min_val}', f'max_val={self.max_val}')


class ReLU6(Hardtanh):
    def __init__(self, inplace=False):
        super().__init__(0., 6., inplace)

    def extra_repr(self):
        return _listed(self)


class Sigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(input)


class Hardsigmoid(Module):
    __constants__ = ['inplace']
    inplace: bool

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Tanh(Module):
    def forward(self, input: Tensor) -> Tensor:
        return torch.tanh(input)


class SiLU(Module):
    __constants__ = ['inplace']
    inplace: bool

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, inplace=self.inplace)

    def extra_repr(self):
        return _listed(self)


class Mish(Module):
    __constants__ = ['inplace']
    inplace: bool

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, inplace=self.inplace)

    def extra_repr(self):
        return _listed(self)


class Hardswish(Module):
    __constants__ = ['inplace']
    inplace: bool

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class ELU(Module):
    __constants__ = ['alpha', 'inplace']
    alpha: float
    inplace: bool

    def __init__(self, alpha=1., inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self):
        return _listed(self, f'alpha={self.alpha}')


class CELU(Module):
    __constants__ = ['alpha', 'inplace']
    alpha: float
    inplace: bool

    def __init__(self, alpha=1., inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)

    def extra_repr(self):
        return _listed(self, f'alpha={self.alpha}')


class SELU(Module):
    __constants__ = ['inplace']
    inplace: bool

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)

    def extra_repr(self):
        return _listed(self)


class GLU(Module):
    __constants__ = ['dim']
    dim: int

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)

    def extra_repr(self):
        return f'dim={self.dim}'


class GELU(Module):
    __constants__ = ['approximate']
    approximate: str

    def __init__(self, approximate='none'):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f'approximate={self.approximate!r}'


class Hardshrink(Module):
    __constants__ = ['lambd']
    lambd: float

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)

    def extra_repr(self):
        return f'{self.lambd}'


class LeakyReLU(Module):
    __constants__ = ['inplace', 'negative_slope']
    inplace: bool
    negative_slope: float

    def __init__(self, negative_slope=1e-2, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self):
        return _listed(self, f'negative_slope={self.negative_slope}')


class LogSigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softplus(Module):
    __constants__ = ['beta', 'threshold']
    beta: int
    threshold: int

    def __init__(self, beta=1, threshold=20):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f'beta={self.beta}, threshold={self.threshold}'


class Softshrink(Module):
    __constants__ = ['lambd']
    lambd: float

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)

    def extra_repr(self):
        return f'{self.lambd}'


class MultiheadAttention(Module):
    """Attention in several heads, each in its part of embed_dim."""

    __constants__ = ['batch_first']
    bias_k: Optional[torch.Tensor]
    bias_v: Optional[torch.Tensor]

    def __init__(self, embed_dim, num_heads, dropout=0., bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = (self.kdim, self.vdim) == (embed_dim, embed_dim)
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert embed_dim % num_heads == 0, f"{num_heads} heads cannot share embed_dim {embed_dim} evenly"

        def weight(*shape):
            return Parameter(torch.empty(shape, device=device, dtype=dtype))

        widths = {'q_proj_weight': embed_dim, 'k_proj_weight': self.kdim, 'v_proj_weight': self.vdim}
        stacked = self._qkv_same_embed_dim
        if stacked:
            self.in_proj_weight = weight(3 * embed_dim, embed_dim)
        for name, width in widths.items():
            self.register_parameter(name, None if stacked else weight(embed_dim, width))
        if not stacked:
            self.register_parameter('in_proj_weight', None)
        self.register_parameter('in_proj_bias', weight(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            self.bias_k = weight(1, 1, embed_dim)
            self.bias_v = weight(1, 1, embed_dim)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        if self._qkv_same_embed_dim:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            init.xavier_uniform_(self.q_proj_weight)
            init.xavier_uniform_(self.k_proj_weight)
            init.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.)
            init.constant_(self.out_proj.bias, 0.)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            init.xavier_normal_(self.bias_v)

    def __setstate__(self, state):
        state.setdefault('_qkv_same_embed_dim', True)
        super().__setstate__(state)
        for name in ('q_proj_weight', 'k_proj_weight', 'v_proj_weight'):
            if not hasattr(self, name):
                self.register_parameter(name, None)

    def _takes_fast_path(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Optional[Tensor],
                         attn_mask: Optional[Tensor]) -> bool:
        """Whether one fused operator does the whole self-attention."""
        if query.dim() != 3 or query is not key or key is not value:
            return False
        if self.in_proj_bias is not None and query.dtype != self.in_proj_bias.dtype:
            return False
        if self.in_proj_weight is not None and query.dtype != self.in_proj_weight.dtype:
            return False
        if self.training or not self.batch_first or self.bias_k is not None or self.bias_v is not None:
            return False
        if self.dropout or self.add_zero_attn or not self._qkv_same_embed_dim or attn_mask is not None:
            return False
        if query.is_nested and key_padding_mask is not None:
            return False
        if self.num_heads % 2 == 1 or torch.is_autocast_enabled():
            return False
        tensors = (query, key, value, self.in_proj_weight, self.in_proj_bias, self.out_proj.weight,
                   self.out_proj.bias)
        if torch.overrides.has_torch_function(tensors):
            return False
        return not (torch.is_grad_enabled() and any([x is not None and x.requires_grad for x in tensors]))

    def forward(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Optional[Tensor] = None,
                need_weights: bool = True, attn_mask: Optional[Tensor] = None,
                average_attn_weights: bool = True) -> Tuple[Tensor, Optional[Tensor]]:
        swapped = self.batch_first and query.dim() == 3
        _check_padding_mask(key_padding_mask)
        if self._takes_fast_path(query, key, value, key_padding_mask, attn_mask):
            return _nn._native_multi_head_attention(
                query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                self.out_proj.weight, self.out_proj.bias, key_padding_mask, need_weights,
                average_attn_weights, None if key_padding_mask is None else 1)
        assert not (query.is_nested or key.is_nested or value.is_nested), \
            "MultiheadAttention takes nested tensors only where one fused operator can do it"

        if swapped:
            # What was one tensor stays one: the projection depends on it.
            one_source = key is value
            all_one = one_source and query is key
            query = query.transpose(1, 0)
            key = query if all_one else key.transpose(1, 0)
            value = key if one_source else value.transpose(1, 0)

        attn_output, attn_weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
            self.bias_k, self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
            self.training, key_padding_mask, need_weights, attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim, q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight, v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights)
        return (attn_output.transpose(1, 0) if swapped else attn_output), attn_weights


class PReLU(Module):
    """A leaky ReLU with a learned slope, one or one for each channel."""

    __constants__ = ['num_parameters']
    num_parameters: int

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(torch.empty(num_parameters, device=device, dtype=dtype).fill_(init))

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f'num_parameters={self.num_parameters}'


class Softsign(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class _AlongDim(Module):
    __constants__ = ['dim']
    dim: Optional[int]

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault('dim', None)

    def extra_repr(self):
        return f'dim={self.dim}'


class Softmin(_AlongDim):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax(_AlongDim):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """A softmax over the channels of (N, C, H, W) or (C, H, W)."""

    def forward(self, input: Tensor) -> Tensor:
        rank = input.dim()
        assert rank == 3 or rank == 4, f"Softmax2d is over (C, H, W) or (N, C, H, W), not {rank} dimensions"
        return F.softmax(input, -3, _stacklevel=5)


class LogSoftmax(_AlongDim):
    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)
