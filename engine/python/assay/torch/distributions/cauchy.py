"""The Cauchy distribution."""

import math

from .._package import torch
from . import constraints
from .distribution import Distribution
from .utils import batch_of, broadcast_all


class Cauchy(Distribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(batch_of(self.loc, loc, scale), validate_args=validate_args)

    mean = property(lambda self: self._full(math.nan, self.loc))
    mode = property(lambda self: self.loc)
    variance = property(lambda self: self._full(math.inf, self.loc))

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + self.loc.new(self._extended_shape(sample_shape)).cauchy_() * self.scale

    def log_prob(self, value):
        self._check(value)
        return -math.log(math.pi) - self.scale.log() - (1 + ((value - self.loc) / self.scale) ** 2).log()

    def cdf(self, value):
        self._check(value)
        return torch.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return torch.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()
