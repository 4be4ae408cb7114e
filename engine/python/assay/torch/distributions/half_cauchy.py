"""The half-Cauchy distribution."""

import math

from .._package import torch
from ._half import Half
from .cauchy import Cauchy


class HalfCauchy(Half):
    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy(0, scale, validate_args=False), validate_args)

    mean = property(lambda self: self._full(math.inf, self.scale))
    variance = property(lambda self: self.base_dist.variance)

    def log_prob(self, value):
        self._check(value)
        return super().log_prob(torch.as_tensor(value, dtype=self.scale.dtype, device=self.scale.device))
