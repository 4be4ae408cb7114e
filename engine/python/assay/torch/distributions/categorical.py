"""The categorical distribution."""

import math

from .._package import torch
from . import constraints
from .distribution import Distribution
from .utils import ProbsOrLogits


class Categorical(ProbsOrLogits, Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _binary = False

    def __init__(self, probs=None, logits=None, validate_args=None):
        given = self._take_odds(probs, logits)
        if given.dim() < 1:
            raise ValueError(f"Categorical: {self._given_odds} is at least a vector")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = self._param.size()[-1]
        batch_shape = self._param.size()[:-1] if self._param.ndimension() > 1 else torch.Size()
        super().__init__(batch_shape, validate_args=validate_args)

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._num_events = self._num_events

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    mean = variance = property(lambda self: self._full(math.nan, self.probs))
    mode = property(lambda self: self.probs.argmax(axis=-1))

    def sample(self, sample_shape=torch.Size()):
        sample_shape = torch.Size(sample_shape)
        drawn = torch.multinomial(self.probs.reshape(-1, self._num_events), sample_shape.numel(), True)
        return drawn.T.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        self._check(value)
        value, log_probs = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return log_probs.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        return self._numbered(self._num_events, torch.long, self._param.device, expand)
