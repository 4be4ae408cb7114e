"""The Kumaraswamy distribution."""

import math

from .._package import torch
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .uniform import Uniform
from .utils import broadcast_all, euler_constant


class Kumaraswamy(TransformedDistribution):
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(torch.full_like(self.concentration0, 0), torch.full_like(self.concentration0, 1),
                       validate_args=validate_args)
        super().__init__(base, self._steps(), validate_args=validate_args)

    def _steps(self):
        """(1 - u ** (1 / b)) ** (1 / a)"""
        return [PowerTransform(exponent=self.concentration0.reciprocal()), AffineTransform(loc=1.0, scale=-1.0),
                PowerTransform(exponent=self.concentration1.reciprocal())]

    def _expand_to(self, new, batch_shape):
        new.concentration1 = self.concentration1.expand(batch_shape)
        new.concentration0 = self.concentration0.expand(batch_shape)
        new.base_dist, new.transforms = self.base_dist.expand(batch_shape), new._steps()

    def _moment(self, n):
        a, b = self.concentration1, self.concentration0
        arg1 = 1 + n / a
        return torch.exp(torch.log(b) + torch.lgamma(arg1) + torch.lgamma(b) - torch.lgamma(arg1 + b))

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - torch.pow(self.mean, 2))

    @property
    def mode(self):
        a, b = self.concentration1, self.concentration0
        log_mode = b.reciprocal() * (-b).log1p() - (-b * a).log1p()
        log_mode[(b < 1) | (a < 1)] = math.nan
        return log_mode.exp()

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        return ((1 - b.reciprocal()) + (1 - a.reciprocal()) * (torch.digamma(b + 1) + euler_constant)
                - torch.log(a) - torch.log(b))
