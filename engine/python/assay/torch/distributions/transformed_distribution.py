"""Distributions of functions of a random variable."""

from .._package import torch
from . import constraints
from .distribution import Distribution
from .independent import Independent
from .transforms import ComposeTransform, Transform
from .utils import _sum_rightmost


class TransformedDistribution(Distribution):
    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(transforms, list) or not all(isinstance(one, Transform) for one in transforms):
            raise ValueError(f"a transform or a list of transforms is wanted, not {transforms}")
        self.transforms = transforms
        whole = ComposeTransform(transforms)
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        base_events = len(base_distribution.event_shape)
        events_in = whole.domain.event_dim
        if len(base_shape) < events_in:
            raise ValueError(f"the base distribution's shape {base_shape} has less than {events_in} dimensions")
        shape = whole.forward_shape(base_shape)
        wanted = whole.inverse_shape(shape)  # Parameters of the transforms may broadcast.
        if base_shape != wanted:
            base_distribution = base_distribution.expand(wanted[:len(wanted) - base_events])
        if events_in > base_events:
            base_distribution = Independent(base_distribution, events_in - base_events)
        self.base_dist = base_distribution
        cut = len(shape) - whole.codomain.event_dim - max(base_events - events_in, 0)
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def _expand_to(self, new, batch_shape):
        new.transforms = self.transforms
        whole = ComposeTransform(self.transforms)
        shape = whole.inverse_shape(batch_shape + self.event_shape)
        new.base_dist = self.base_dist.expand(shape[:len(shape) - len(self.base_dist.event_shape)])

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    def _forward(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=torch.Size()):
        return self._forward(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        self._check(value)
        events, log_prob, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            events += transform.domain.event_dim - transform.codomain.event_dim
            log_prob = log_prob - _sum_rightmost(transform.log_abs_det_jacobian(x, y),
                                                 events - transform.domain.event_dim)
            y = x
        return log_prob + _sum_rightmost(self.base_dist.log_prob(y), events - len(self.base_dist.event_shape))

    def _turned(self, probability):
        """The probability, from above where the transforms turn the order round."""
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        return probability if isinstance(sign, int) and sign == 1 else sign * (probability - 0.5) + 0.5

    def cdf(self, value):
        for transform in self.transforms[::-1]:
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._turned(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._forward(self.base_dist.icdf(self._turned(value)))
