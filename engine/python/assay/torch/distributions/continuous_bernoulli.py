"""The continuous Bernoulli distribution of Loaiza-Ganem and Cunningham (2019)."""

import math
from numbers import Number

from .._package import torch
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from .exp_family import ExponentialFamily
from .utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs, probs_to_logits


class ContinuousBernoulli(ExponentialFamily):
    """Near a probability of one half its closed forms lose all digits: between `lims` Taylor series stand in."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    _mean_carrier_measure = 0
    has_rsample = True

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("ContinuousBernoulli takes either `probs` or `logits`, and one of them it needs")
        if probs is not None:
            self.probs, = broadcast_all(probs)
            if validate_args is not None and not self.arg_constraints["probs"].check(self.probs).all():
                raise ValueError(f"ContinuousBernoulli: probs outside of the unit interval: {probs}")
            self.probs = clamp_probs(self.probs)
        else:
            self.logits, = broadcast_all(logits)
        given = logits if probs is None else probs
        self._param = self.logits if probs is None else self.probs
        self._lims = lims
        super().__init__(torch.Size() if isinstance(given, Number) else self._param.size(), validate_args=validate_args)

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._param, new._lims = self._param.expand(batch_shape), self._lims

    param_shape = property(lambda self: self._param.size())

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self):
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _outside_unstable_region(self):
        return torch.max(torch.le(self.probs, self._lims[0]), torch.gt(self.probs, self._lims[1]))

    def _cut_probs(self):
        """Probabilities for the closed forms, away from one half."""
        return torch.where(self._outside_unstable_region(), self.probs, self._lims[0] * torch.ones_like(self.probs))

    def _either(self, closed, taylor):
        return torch.where(self._outside_unstable_region(), closed, taylor)

    def _cont_bern_log_norm(self):
        cut = self._cut_probs()
        below = torch.where(torch.le(cut, 0.5), cut, torch.zeros_like(cut))
        above = torch.where(torch.ge(cut, 0.5), cut, torch.ones_like(cut))
        closed = (torch.log(torch.abs(torch.log1p(-cut) - torch.log(cut)))
                  - torch.where(torch.le(cut, 0.5), torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0)))
        x = torch.pow(self.probs - 0.5, 2)
        return self._either(closed, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        cut = self._cut_probs()
        x = self.probs - 0.5
        return self._either(cut / (2.0 * cut - 1.0) + 1.0 / (torch.log1p(-cut) - torch.log(cut)),
                            0.5 + (1.0 / 3.0 + 16.0 / 45.0 * torch.pow(x, 2)) * x)

    @property
    def variance(self):
        cut = self._cut_probs()
        x = torch.pow(self.probs - 0.5, 2)
        return self._either(cut * (cut - 1.0) / torch.pow(1.0 - 2.0 * cut, 2)
                            + 1.0 / torch.pow(torch.log1p(-cut) - torch.log(cut), 2),
                            1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        return self.icdf(torch.rand(shape, dtype=self.probs.dtype, device=self.probs.device))

    def log_prob(self, value):
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none") + self._cont_bern_log_norm()

    def cdf(self, value):
        self._check(value)
        cut = self._cut_probs()
        closed = (torch.pow(cut, value) * torch.pow(1.0 - cut, 1.0 - value) + cut - 1.0) / (2.0 * cut - 1.0)
        inside = self._either(closed, value)
        return torch.where(torch.le(value, 0.0), torch.zeros_like(value),
                           torch.where(torch.ge(value, 1.0), torch.ones_like(value), inside))

    def icdf(self, value):
        cut = self._cut_probs()
        closed = ((torch.log1p(-cut + value * (2.0 * cut - 1.0)) - torch.log1p(-cut))
                  / (torch.log(cut) - torch.log1p(-cut)))
        return self._either(closed, value)

    def entropy(self):
        none, one = torch.log1p(-self.probs), torch.log(self.probs)
        return self.mean * (none - one) - self._cont_bern_log_norm() - none
