"""Transforms that are formulas: of elements, vectors and matrices."""

import math
import numbers

from .._package import torch
from ..nn import functional as F
from . import constraints
from ._transform import Transform, _has_dimensions, _with_events
from .utils import broadcast_all, tril_matrix_to_vec, vec_to_tril_matrix


class ExpTransform(Transform):
    domain, codomain = constraints.real, constraints.positive
    bijective, sign = True, +1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(Transform):
    domain, codomain = constraints.positive, constraints.positive
    bijective, sign = True, +1
    _arguments = ("exponent",)

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.exponent, = broadcast_all(exponent)

    def __eq__(self, other):
        return isinstance(other, PowerTransform) and self.exponent.eq(other.exponent).all().item()

    __hash__ = object.__hash__

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, getattr(self.exponent, "shape", ()))

    inverse_shape = forward_shape


def _inside_sigmoid(x):
    limits = torch.finfo(x.dtype)
    return torch.clamp(torch.sigmoid(x), min=limits.tiny, max=1.0 - limits.eps)


class SigmoidTransform(Transform):
    domain, codomain = constraints.real, constraints.unit_interval
    bijective, sign = True, +1

    def _call(self, x):
        return _inside_sigmoid(x)

    def _inverse(self, y):
        limits = torch.finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1.0 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x) - F.softplus(x)


class SoftplusTransform(Transform):
    domain, codomain = constraints.real, constraints.positive
    bijective, sign = True, +1

    def _call(self, x):
        return F.softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x)


class TanhTransform(Transform):
    domain, codomain = constraints.real, constraints.interval(-1.0, 1.0)
    bijective, sign = True, +1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class AbsTransform(Transform):
    domain, codomain = constraints.real, constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


def _same(first, second):
    if isinstance(first, numbers.Number) and isinstance(second, numbers.Number):
        return first == second
    return bool((torch.as_tensor(first) == second).all().item())


class AffineTransform(Transform):
    """loc + scale * x"""

    bijective = True
    _arguments = ("loc", "scale", "event_dim")

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    event_dim = property(lambda self: self._event_dim)

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return _with_events(constraints.real, self.event_dim)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return _with_events(constraints.real, self.event_dim)

    def __eq__(self, other):
        return isinstance(other, AffineTransform) and _same(self.loc, other.loc) and _same(self.scale, other.scale)

    __hash__ = object.__hash__

    @property
    def sign(self):
        if isinstance(self.scale, numbers.Real):
            return (self.scale > 0) - (self.scale < 0)
        return self.scale.sign()

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        shape = x.shape
        if isinstance(self.scale, numbers.Real):
            result = torch.full_like(x, math.log(abs(self.scale)))
        else:
            result = torch.abs(self.scale).log()
        if self.event_dim:
            result = result.view(result.size()[:-self.event_dim] + (-1,)).sum(-1)
            shape = shape[:-self.event_dim]
        return result.expand(shape)

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, getattr(self.loc, "shape", ()), getattr(self.scale, "shape", ()))

    inverse_shape = forward_shape


class CorrCholeskyTransform(Transform):
    """Vectors to Cholesky factors of correlation matrices, by the onion of partial correlations."""

    domain, codomain = constraints.real_vector, constraints.corr_cholesky
    bijective = True
    _equal_by_class = False

    def _call(self, x):
        x = torch.tanh(x)
        eps = torch.finfo(x.dtype).eps
        partial = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - partial ** 2).sqrt().cumprod(-1)
        partial = partial + torch.eye(partial.shape[-1], dtype=partial.dtype, device=partial.device)
        return partial * F.pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        left = F.pad((1 - torch.cumsum(y * y, dim=-1))[..., :-1], [1, 0], value=1)
        partial = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        return ((1 + partial) / (1 - partial)).log() / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        left = tril_matrix_to_vec(1 - (y * y).cumsum(dim=-1), diag=-2)
        of_tanh = -2 * (x + F.softplus(-2 * x) - math.log(2.0)).sum(dim=-1)
        return 0.5 * left.log().sum(-1) + of_tanh

    def forward_shape(self, shape):
        _has_dimensions(shape, 1)
        size = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != shape[-1]:
            raise ValueError(f"{shape[-1]} elements fill no lower triangle")
        return shape[:-1] + (size, size)

    def inverse_shape(self, shape):
        _has_dimensions(shape, 2)
        if shape[-2] != shape[-1]:
            raise ValueError(f"a square matrix is wanted, not {tuple(shape[-2:])}")
        return shape[:-2] + (shape[-1] * (shape[-1] - 1) // 2,)


class SoftmaxTransform(Transform):
    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        weights = (x - x.max(-1, True)[0]).exp()
        return weights / weights.sum(-1, True)

    def _inverse(self, y):
        return y.log()

    def forward_shape(self, shape):
        _has_dimensions(shape, 1)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(Transform):
    """Vectors to a simplex of one dimension more: each element breaks its part off what is left."""

    domain, codomain = constraints.real_vector, constraints.simplex
    bijective = True

    def _call(self, x):
        broken = _inside_sigmoid(x - self._left(x).log())
        return F.pad(broken, [0, 1], value=1) * F.pad((1 - broken).cumprod(-1), [1, 0], value=1)

    def _inverse(self, y):
        parts = y[..., :-1]
        rest = torch.clamp(1 - parts.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return parts.log() - rest.log() + self._left(parts).log()

    def log_abs_det_jacobian(self, x, y):
        x = x - self._left(x).log()
        return (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)

    @staticmethod
    def _left(x):
        """How many parts follow each element."""
        return x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)

    def forward_shape(self, shape):
        _has_dimensions(shape, 1)
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        _has_dimensions(shape, 1)
        return shape[:-1] + (shape[-1] - 1,)


class LowerCholeskyTransform(Transform):
    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()
