"""The Bernoulli distribution."""

import math

from .._package import torch
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from .exp_family import ExponentialFamily
from .utils import ProbsOrLogits, batch_of, broadcast_all


class Bernoulli(ProbsOrLogits, ExponentialFamily):
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, validate_args=None):
        given = self._take_odds(probs, logits)
        super().__init__(batch_of(self._param, given), validate_args=validate_args)

    mean = property(lambda self: self.probs)

    @property
    def mode(self):
        mode = (self.probs >= 0.5).to(self.probs)
        mode[self.probs == 0.5] = math.nan
        return mode

    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(shape))

    def log_prob(self, value):
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        return self._numbered(2, self._param.dtype, self._param.device, expand)

    @property
    def _natural_params(self):
        return (torch.log(self.probs / (1 - self.probs)),)

    def _log_normalizer(self, x):
        return torch.log(1 + torch.exp(x))
