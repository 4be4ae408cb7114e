"""The multinomial distribution."""

import math

from .._package import torch
from . import constraints
from .binomial import Binomial
from .categorical import Categorical
from .distribution import Distribution
from .utils import broadcast_all


class Multinomial(Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("a multinomial distribution has one total count, a Python int")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def _expand_to(self, new, batch_shape):
        new.total_count = self.total_count
        new._categorical = self._categorical.expand(batch_shape)
        new._binomial = self._binomial.expand(batch_shape + self._binomial.batch_shape[-1:])

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=torch.Size()):
        sample_shape = torch.Size(sample_shape)
        drawn = self._categorical.sample(torch.Size((self.total_count,)) + sample_shape).movedim(0, -1)
        counts = drawn.new(self._extended_shape(sample_shape)).zero_()
        return counts.scatter_add_(-1, drawn, torch.ones_like(drawn)).type_as(self.probs)

    def log_prob(self, value):
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone(memory_format=torch.contiguous_format)
        logits[(value == 0) & (logits == -math.inf)] = 0
        return torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1) + (logits * value).sum(-1)

    def entropy(self):
        count = torch.tensor(self.total_count)
        values = self._binomial.enumerate_support(expand=False)[1:]
        repeats = (torch.exp(self._binomial.log_prob(values)) * torch.lgamma(values + 1)).sum([0, -1])
        return count * self._categorical.entropy() - torch.lgamma(count + 1) + repeats
