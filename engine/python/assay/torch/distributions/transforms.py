"""Functions with known Jacobians, by which distributions are made of others."""

import functools
import math
import numbers
import operator
import weakref

from .. import torch
from ..nn import functional as F
from . import constraints
from .utils import _sum_rightmost, broadcast_all, lazy_property, tril_matrix_to_vec, vec_to_tril_matrix

__all__ = ["AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
           "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform", "LowerCholeskyTransform",
           "PowerTransform", "ReshapeTransform", "SigmoidTransform", "SoftplusTransform", "TanhTransform",
           "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "Transform", "identity_transform"]


class Transform:
    """A function with an inverse. A subclass gives `_call`, `_inverse`, `log_abs_det_jacobian`, and its arguments
    by name in `_arguments` where it has some. With cache_size=1 the inverse of the last result is what it came from."""

    bijective = False
    _arguments = ()

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size is 0 or 1")
        self._cache_size = cache_size
        self._inv = None
        self._cached_x_y = (None, None)
        super().__init__()

    def __getstate__(self):
        return {**self.__dict__, "_inv": None}  # Weak references do not pickle.

    @property
    def event_dim(self):
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("events differ in dimensions before and after: ask domain or codomain for event_dim")
        return self.domain.event_dim

    @property
    def inv(self):
        inverse = self._inv and self._inv()
        if inverse is None:
            inverse = _InverseTransform(self)
            self._inv = weakref.ref(inverse)
        return inverse

    @property
    def sign(self):
        """The sign of the derivative, where it has one sign."""
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is not Transform.__init__ and not self._arguments:
            raise NotImplementedError(f"{type(self).__name__} needs a with_cache() of its own")
        return type(self)(*(getattr(self, name) for name in self._arguments), cache_size=cache_size)

    def __eq__(self, other):
        """Transforms without arguments are equal by their class; others by identity, unless they say more."""
        own = type(self)
        return self is other or (own.__init__ is Transform.__init__ and own.__module__ == __name__
                                 and own is not CorrCholeskyTransform and isinstance(other, own))

    __hash__ = object.__hash__

    def __call__(self, x):
        if self._cache_size == 0:
            return self._call(x)
        if self._cached_x_y[0] is not x or x is None:
            self._cached_x_y = (x, self._call(x))
        return self._cached_x_y[1]

    def _inv_call(self, y):
        if self._cache_size == 0:
            return self._inverse(y)
        if self._cached_x_y[1] is not y or y is None:
            self._cached_x_y = (self._inverse(y), y)
        return self._cached_x_y[0]

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__ + "()"

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape


class _InverseTransform(Transform):
    def __init__(self, transform):
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return self._inv.domain

    bijective = property(lambda self: self._inv.bijective)
    sign = property(lambda self: self._inv.sign)
    inv = property(lambda self: self._inv)

    def __getstate__(self):
        return self.__dict__

    def with_cache(self, cache_size=1):
        return self.inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = object.__hash__

    def __repr__(self):
        return f"{type(self).__name__}({self._inv!r})"

    def __call__(self, x):
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)


class ComposeTransform(Transform):
    """Several, the first first."""

    _arguments = ("parts",)

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = object.__hash__

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        if not self.parts:
            return constraints.real
        events = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            events = max(events + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        return _with_events(self.parts[0].domain, events)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        if not self.parts:
            return constraints.real
        events = self.parts[0].domain.event_dim
        for part in self.parts:
            events = max(events + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        return _with_events(self.parts[-1].codomain, events)

    @lazy_property
    def bijective(self):
        return all(part.bijective for part in self.parts)

    @lazy_property
    def sign(self):
        return functools.reduce(operator.mul, (part.sign for part in self.parts), 1)

    @property
    def inv(self):
        inverse = self._inv and self._inv()
        if inverse is None:
            inverse = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv, inverse._inv = weakref.ref(inverse), weakref.ref(self)
        return inverse

    def __call__(self, x):
        return functools.reduce(lambda value, part: part(value), self.parts, x)

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return torch.zeros_like(x)
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        terms, events = [], self.domain.event_dim
        for part, before, after in zip(self.parts, values[:-1], values[1:]):
            terms.append(_sum_rightmost(part.log_abs_det_jacobian(before, after), events - part.domain.event_dim))
            events += part.codomain.event_dim - part.domain.event_dim
        return functools.reduce(operator.add, terms)

    def forward_shape(self, shape):
        return functools.reduce(lambda shape, part: part.forward_shape(shape), self.parts, shape)

    def inverse_shape(self, shape):
        return functools.reduce(lambda shape, part: part.inverse_shape(shape), reversed(self.parts), shape)

    def __repr__(self):
        return type(self).__name__ + "(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"


def _with_events(constraint, events):
    more = events - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


identity_transform = ComposeTransform([])


def _has_dimensions(shape, count):
    if len(shape) < count:
        raise ValueError(f"a shape of {len(shape)} dimensions has no event of {count}")


class IndependentTransform(Transform):
    """A transform whose last batch dimensions belong to the event."""

    _arguments = ("base_transform", "reinterpreted_batch_ndims")

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    bijective = property(lambda self: self.base_transform.bijective)
    sign = property(lambda self: self.base_transform.sign)

    def _call(self, x):
        _has_dimensions(x.shape, self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y):
        _has_dimensions(y.shape, self.codomain.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return _sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)


class ReshapeTransform(Transform):
    """Events in another shape."""

    bijective = True
    _arguments = ("in_shape", "out_shape")

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = torch.Size(in_shape), torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError(f"{self.in_shape} and {self.out_shape} have different numbers of elements")
        super().__init__(cache_size=cache_size)

    @constraints.dependent_property
    def domain(self):
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self):
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x):
        return x.reshape(x.shape[:x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y):
        return y.reshape(y.shape[:y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(x.shape[:x.dim() - len(self.in_shape)])

    def forward_shape(self, shape):
        return _exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return _exchanged(shape, self.out_shape, self.in_shape)


def _exchanged(shape, old, new):
    _has_dimensions(shape, len(old))
    batches = len(shape) - len(old)
    if shape[batches:] != old:
        raise ValueError(f"a shape that ends in {old} is wanted, not {shape}")
    return shape[:batches] + new


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


class _Side(Transform):
    """Several transforms side by side on parts of a dimension."""

    def _take(self, tseq, cache_size):
        if not all(isinstance(one, Transform) for one in tseq):
            raise ValueError(f"{type(self).__name__} takes transforms")
        Transform.__init__(self, cache_size=cache_size)
        self.transforms = [one.with_cache(cache_size) for one in tseq] if cache_size else list(tseq)

    bijective = property(lambda self: all(one.bijective for one in self.transforms))

    def _call(self, x):
        return self._join([one(part) for one, part in zip(self.transforms, self._parts(x))])

    def _inverse(self, y):
        return self._join([one.inv(part) for one, part in zip(self.transforms, self._parts(y))])


class CatTransform(_Side):
    _arguments = ("transforms", "dim", "lengths")

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        self._take(tseq, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise ValueError("a length for each transform is wanted")
        self.dim = dim

    event_dim = property(lambda self: max(one.event_dim for one in self.transforms))
    length = property(lambda self: sum(self.lengths))

    def _parts(self, value):
        return value.split(self.lengths, self.dim)

    def _join(self, parts):
        return torch.cat(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        terms = [_sum_rightmost(one.log_abs_det_jacobian(before, after), self.event_dim - one.event_dim)
                 for one, before, after in zip(self.transforms, self._parts(x), self._parts(y))]
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(terms, dim=dim) if dim < 0 else sum(terms)

    @constraints.dependent_property
    def domain(self):
        return constraints.cat([one.domain for one in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self):
        return constraints.cat([one.codomain for one in self.transforms], self.dim, self.lengths)


class StackTransform(_Side):
    _arguments = ("transforms", "dim")

    def __init__(self, tseq, dim=0, cache_size=0):
        self._take(tseq, cache_size)
        self.dim = dim

    def _parts(self, value):
        return value.unbind(self.dim)

    def _join(self, parts):
        return torch.stack(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        return self._join([one.log_abs_det_jacobian(before, after)
                           for one, before, after in zip(self.transforms, self._parts(x), self._parts(y))])

    @constraints.dependent_property
    def domain(self):
        return constraints.stack([one.domain for one in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self):
        return constraints.stack([one.codomain for one in self.transforms], self.dim)


class CumulativeDistributionTransform(Transform):
    """A distribution's cumulative distribution function."""

    bijective, sign = True, +1
    codomain = constraints.unit_interval
    _arguments = ("distribution",)

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    domain = property(lambda self: self.distribution.support)

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)
