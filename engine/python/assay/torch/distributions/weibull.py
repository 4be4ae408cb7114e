"""The Weibull distribution."""

from .._package import torch
from . import constraints
from .exponential import Exponential
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .utils import broadcast_all, euler_constant


class Weibull(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(torch.ones_like(self.scale), validate_args=validate_args)
        super().__init__(base, self._steps(), validate_args=validate_args)

    def _steps(self):
        return [PowerTransform(exponent=self.concentration_reciprocal), AffineTransform(loc=0, scale=self.scale)]

    def _expand_to(self, new, batch_shape):
        new.scale, new.concentration = self.scale.expand(batch_shape), self.concentration.expand(batch_shape)
        new.concentration_reciprocal = new.concentration.reciprocal()
        new.base_dist, new.transforms = self.base_dist.expand(batch_shape), new._steps()

    def _moment(self, n):
        return torch.exp(torch.lgamma(1 + n * self.concentration_reciprocal))

    mean = property(lambda self: self.scale * self._moment(1))
    mode = property(lambda self: self.scale * ((self.concentration - 1) / self.concentration)
                    ** self.concentration.reciprocal())
    variance = property(lambda self: self.scale.pow(2) * (self._moment(2) - self._moment(1).pow(2)))

    def entropy(self):
        return (euler_constant * (1 - self.concentration_reciprocal)
                + torch.log(self.scale * self.concentration_reciprocal) + 1)
