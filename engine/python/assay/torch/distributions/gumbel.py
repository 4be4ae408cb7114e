"""The Gumbel distribution."""

import math
from numbers import Number

from .._package import torch
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform
from .uniform import Uniform
from .utils import broadcast_all, euler_constant


class Gumbel(TransformedDistribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = torch.finfo(self.loc.dtype)
        low, high = limits.tiny, 1 - limits.eps
        if not isinstance(loc, Number) or not isinstance(scale, Number):
            low, high = torch.full_like(self.loc, low), torch.full_like(self.loc, high)
        super().__init__(Uniform(low, high), self._steps(), validate_args=validate_args)

    def _steps(self):
        """loc - scale * log(-log(u))"""
        return [ExpTransform().inv, AffineTransform(loc=0, scale=-torch.ones_like(self.scale)), ExpTransform().inv,
                AffineTransform(loc=self.loc, scale=-self.scale)]

    def _expand_to(self, new, batch_shape):
        new.loc, new.scale = self.loc.expand(batch_shape), self.scale.expand(batch_shape)
        new.base_dist, new.transforms = self.base_dist.expand(batch_shape), new._steps()

    def log_prob(self, value):
        self._check(value)
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    mean = property(lambda self: self.loc + self.scale * euler_constant)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: (math.pi / math.sqrt(6)) * self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def entropy(self):
        return self.scale.log() + (1 + euler_constant)
