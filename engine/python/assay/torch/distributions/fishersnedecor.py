"""The F distribution of Fisher and Snedecor."""

import math

from .._package import torch
from . import constraints
from .distribution import Distribution
from .gamma import Gamma
from .utils import batch_of, broadcast_all


class FisherSnedecor(Distribution):
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(batch_of(self.df1, df1, df2), validate_args=validate_args)

    def _df2_above(self, limit):
        df2 = self.df2.clone(memory_format=torch.contiguous_format)
        df2[df2 <= limit] = math.nan
        return df2

    @property
    def mean(self):
        df2 = self._df2_above(2)
        return df2 / (df2 - 2)

    @property
    def mode(self):
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        mode[self.df1 <= 2] = math.nan
        return mode

    @property
    def variance(self):
        df2 = self._df2_above(4)
        return 2 * df2.pow(2) * (self.df1 + df2 - 2) / (self.df1 * (df2 - 2).pow(2) * (df2 - 4))

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._gamma1, new._gamma2 = self._gamma1.expand(batch_shape), self._gamma2.expand(batch_shape)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        first, second = (gamma.rsample(sample_shape).view(shape) for gamma in (self._gamma1, self._gamma2))
        tiny = torch.finfo(second.dtype).tiny
        return (first / second.clamp_(min=tiny)).clamp_(min=tiny)

    def log_prob(self, value):
        self._check(value)
        half1, half2, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        return ((half1 + half2).lgamma() - half1.lgamma() - half2.lgamma()
                + half1 * ratio.log() + (half1 - 1) * torch.log(value)
                - (half1 + half2) * torch.log1p(ratio * value))
