"""Student's t distribution."""

import math

from .._package import torch
from . import constraints
from .chi2 import Chi2
from .distribution import Distribution
from .utils import _standard_normal, broadcast_all


class StudentT(Distribution):
    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.size(), validate_args=validate_args)

    @property
    def mean(self):
        mean = self.loc.clone(memory_format=torch.contiguous_format)
        mean[self.df <= 1] = math.nan
        return mean

    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        variance = self.df.clone(memory_format=torch.contiguous_format)
        finite = self.df > 2
        variance[finite] = self.scale[finite].pow(2) * self.df[finite] / (self.df[finite] - 2)
        variance[(self.df <= 2) & (self.df > 1)] = math.inf
        variance[self.df <= 1] = math.nan
        return variance

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._chi2 = self._chi2.expand(batch_shape)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        normal = _standard_normal(shape, dtype=self.df.dtype, device=self.df.device)
        return self.loc + self.scale * (normal * torch.rsqrt(self._chi2.rsample(sample_shape) / self.df))

    def log_prob(self, value):
        self._check(value)
        y = (value - self.loc) / self.scale
        normalizer = (self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi) + torch.lgamma(0.5 * self.df)
                      - torch.lgamma(0.5 * (self.df + 1.0)))
        return -0.5 * (self.df + 1.0) * torch.log1p(y ** 2.0 / self.df) - normalizer

    def entropy(self):
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = torch.lgamma(half) + math.lgamma(0.5) - torch.lgamma(more)
        return (self.scale.log() + more * (torch.digamma(more) - torch.digamma(half)) + 0.5 * self.df.log() + log_beta)
