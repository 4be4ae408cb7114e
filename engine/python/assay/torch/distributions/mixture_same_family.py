"""Mixtures of distributions of one family."""

from .._package import torch
from . import constraints
from .categorical import Categorical
from .distribution import Distribution


class MixtureSameFamily(Distribution):
    arg_constraints = {}
    has_rsample = False

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError("a mixture takes a Categorical distribution of its components")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("a mixture takes a distribution whose last batch dimension are the components")
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        outer, batch_shape = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        if any(a != 1 and b != 1 and a != b for a, b in zip(reversed(outer), reversed(batch_shape))):
            raise ValueError(f"batches {outer} of the mixture and {batch_shape} of its components do not fit")
        self._num_component = mixture_distribution.logits.shape[-1]
        if component_distribution.batch_shape[-1] != self._num_component:
            raise ValueError(f"the mixture has {self._num_component} components, and "
                             f"{component_distribution.batch_shape[-1]} are given")
        event_shape = component_distribution.event_shape
        self._event_ndims = len(event_shape)
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def _expand_to(self, new, batch_shape):
        new._component_distribution = self._component_distribution.expand(batch_shape + (self._num_component,))
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        new._num_component, new._event_ndims = self._num_component, self._event_ndims

    @constraints.dependent_property
    def support(self):
        return self._component_distribution.support

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)

    def _over_components(self, values):
        """The mean over the components."""
        return torch.sum(self._weights() * values, dim=-1 - self._event_ndims)

    def _weights(self):
        probs = self.mixture_distribution.probs
        own, batches = self.mixture_distribution.batch_shape.numel(), self.batch_shape.numel()
        more = 0 if own == 1 else batches - own
        return probs.reshape(probs.shape[:-1] + torch.Size(more * [1]) + probs.shape[-1:]
                             + torch.Size(self._event_ndims * [1]))

    @property
    def mean(self):
        return self._over_components(self.component_distribution.mean)

    @property
    def variance(self):
        within = self._over_components(self.component_distribution.variance)
        return within + self._over_components((self.component_distribution.mean - self._pad(self.mean)).pow(2.0))

    def _pad(self, x):
        return x.unsqueeze(-1 - self._event_ndims)

    def cdf(self, x):
        return torch.sum(self.component_distribution.cdf(self._pad(x)) * self.mixture_distribution.probs, dim=-1)

    def log_prob(self, x):
        self._check(x)
        log_weights = torch.log_softmax(self.mixture_distribution.logits, dim=-1)
        return torch.logsumexp(self.component_distribution.log_prob(self._pad(x)) + log_weights, dim=-1)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            chosen = self.mixture_distribution.sample(sample_shape)
            samples = self.component_distribution.sample(sample_shape)
            dim = len(sample_shape) + len(self.batch_shape)
            chosen = chosen.reshape(chosen.shape + torch.Size([1] * (self._event_ndims + 1)))
            chosen = chosen.repeat(torch.Size([1] * (chosen.dim() - self._event_ndims)) + self.event_shape)
            return torch.gather(samples, dim, chosen).squeeze(dim)

    def __repr__(self):
        return f"{type(self).__name__}(\n  {self.mixture_distribution},\n  {self.component_distribution})"
