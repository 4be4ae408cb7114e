"""The Pareto distribution."""

from .._package import torch
from . import constraints
from .exponential import Exponential
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform
from .utils import broadcast_all


class Pareto(TransformedDistribution):
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        super().__init__(base, self._steps(), validate_args=validate_args)

    def _steps(self):
        return [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]

    def _expand_to(self, new, batch_shape):
        new.scale, new.alpha = self.scale.expand(batch_shape), self.alpha.expand(batch_shape)
        new.base_dist, new.transforms = self.base_dist.expand(batch_shape), new._steps()

    @property
    def mean(self):
        alpha = self.alpha.clamp(min=1)  # Infinite up to 1.
        return alpha * self.scale / (alpha - 1)

    mode = property(lambda self: self.scale)

    @property
    def variance(self):
        alpha = self.alpha.clamp(min=2)  # Infinite up to 2.
        return self.scale.pow(2) * alpha / ((alpha - 1).pow(2) * (alpha - 2))

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.greater_than_eq(self.scale)

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())
