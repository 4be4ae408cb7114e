"""The binomial distribution."""

from .._package import torch
from . import constraints
from .distribution import Distribution
from .utils import ProbsOrLogits, broadcast_all


class Binomial(ProbsOrLogits, Distribution):
    arg_constraints = {"total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval,
                       "logits": constraints.real}
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        given = self._take_odds(probs, logits)
        total_count, given = broadcast_all(total_count, given)
        self.total_count = total_count.type_as(given)
        setattr(self, self._given_odds, given)
        super().__init__(given.size(), validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        self._check(value)
        choices = (torch.lgamma(self.total_count + 1) - torch.lgamma(value + 1)
                   - torch.lgamma(self.total_count - value + 1))
        # log(1 + exp(logits)), which neither over- nor underflows.
        softplus = ((self.logits.clamp(min=0) + self.logits - self.logits.clamp(max=0)) / 2
                    + torch.log1p(torch.exp(-torch.abs(self.logits))))
        return value * self.logits + choices - self.total_count * softplus

    def _one_count(self):
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError("this binomial distribution has several total counts; one is wanted here")
        return count

    def entropy(self):
        self._one_count()
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        return self._numbered(1 + self._one_count(), self._param.dtype, self._param.device, expand)
