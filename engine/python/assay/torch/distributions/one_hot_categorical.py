"""Categorical distributions whose values are one-hot vectors."""

from .._package import torch
from ..nn.functional import one_hot
from . import constraints
from .categorical import Categorical
from .distribution import Distribution


class OneHotCategorical(Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def _expand_to(self, new, batch_shape):
        new._categorical = self._categorical.expand(batch_shape)

    _param = property(lambda self: self._categorical._param)
    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)
    mean = property(lambda self: self._categorical.probs)
    variance = property(lambda self: self._categorical.probs * (1 - self._categorical.probs))

    @property
    def mode(self):
        probs = self._categorical.probs
        return one_hot(probs.argmax(axis=-1), num_classes=probs.shape[-1]).to(probs)

    def sample(self, sample_shape=torch.Size()):
        probs = self._categorical.probs
        return one_hot(self._categorical.sample(torch.Size(sample_shape)), self._categorical._num_events).to(probs)

    def log_prob(self, value):
        self._check(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        n = self.event_shape[0]
        values = torch.eye(n, dtype=self._param.dtype, device=self._param.device)
        values = values.view((n,) + (1,) * len(self.batch_shape) + (n,))
        return values.expand((n,) + self.batch_shape + (n,)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """One whose samples count as the probabilities where gradients are taken."""

    has_rsample = True

    def rsample(self, sample_shape=torch.Size()):
        samples, probs = self.sample(sample_shape), self._categorical.probs
        return samples + (probs - probs.detach())
