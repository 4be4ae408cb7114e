"""The Laplace distribution."""

from .._package import torch
from . import constraints
from .distribution import Distribution
from .utils import batch_of, broadcast_all, tracing


class Laplace(Distribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(batch_of(self.loc, loc, scale), validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale.pow(2))
    stddev = property(lambda self: 2 ** 0.5 * self.scale)

    def rsample(self, sample_shape=torch.Size()):
        shape, limits = self._extended_shape(sample_shape), torch.finfo(self.loc.dtype)
        if tracing():
            u = torch.rand(shape, dtype=self.loc.dtype, device=self.loc.device) * 2 - 1
            return self.loc - self.scale * u.sign() * torch.log1p(-u.abs().clamp(min=limits.tiny))
        u = self.loc.new(shape).uniform_(limits.eps - 1, 1)
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs())

    def log_prob(self, value):
        self._check(value)
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def cdf(self, value):
        self._check(value)
        away = value - self.loc
        return 0.5 - 0.5 * away.sign() * torch.expm1(-away.abs() / self.scale)

    def icdf(self, value):
        away = value - 0.5
        return self.loc - self.scale * away.sign() * torch.log1p(-2 * away.abs())

    def entropy(self):
        return 1 + torch.log(2 * self.scale)
