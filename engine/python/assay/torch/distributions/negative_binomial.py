"""The negative binomial distribution: successes before a number of failures."""

from .._package import torch
from ..nn import functional as F
from . import constraints
from .distribution import Distribution
from .gamma import Gamma
from .utils import ProbsOrLogits, broadcast_all, lazy_property


class NegativeBinomial(ProbsOrLogits, Distribution):
    arg_constraints = {"total_count": constraints.greater_than_eq(0),
                       "probs": constraints.half_open_interval(0.0, 1.0), "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        given = self._take_odds(probs, logits)
        total_count, given = broadcast_all(total_count, given)
        self.total_count = total_count.type_as(given)
        setattr(self, self._given_odds, given)
        super().__init__(given.size(), validate_args=validate_args)

    mean = property(lambda self: self.total_count * torch.exp(self.logits))
    mode = property(lambda self: ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0))
    variance = property(lambda self: self.mean / torch.sigmoid(-self.logits))

    @lazy_property
    def _gamma(self):
        """The rates of the Poisson distributions that it mixes."""
        return Gamma(concentration=self.total_count, rate=torch.exp(-self.logits), validate_args=False)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.poisson(self._gamma.sample(sample_shape=sample_shape))

    def log_prob(self, value):
        self._check(value)
        unnormalized = self.total_count * F.logsigmoid(-self.logits) + value * F.logsigmoid(self.logits)
        normalizer = -torch.lgamma(self.total_count + value) + torch.lgamma(1.0 + value) + torch.lgamma(self.total_count)
        normalizer[self.total_count + value == 0.0] = 0.0
        return unnormalized - normalizer
