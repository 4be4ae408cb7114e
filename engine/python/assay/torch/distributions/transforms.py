"""Functions with known Jacobians, by which distributions are made of others."""

import functools
import operator
import weakref

from .._package import torch
from . import constraints
from ._maps import (
    AbsTransform, AffineTransform, CorrCholeskyTransform, ExpTransform, LowerCholeskyTransform, PowerTransform,
    SigmoidTransform, SoftmaxTransform, SoftplusTransform, StickBreakingTransform, TanhTransform)
from ._maps import _inside_sigmoid as _clipped_sigmoid  # noqa: F401
from ._transform import Transform, _InverseTransform, _has_dimensions, _with_events  # noqa: F401
from .utils import _sum_rightmost, lazy_property

__all__ = ["AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
           "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform", "LowerCholeskyTransform",
           "PowerTransform", "ReshapeTransform", "SigmoidTransform", "SoftplusTransform", "TanhTransform",
           "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "Transform", "identity_transform"]


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


identity_transform = ComposeTransform([])


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
