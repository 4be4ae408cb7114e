"""Distributions of the exponential family."""

from .distribution import Distribution


class ExponentialFamily(Distribution):
    """A density exp(t(x) * natural parameters - log normalizer + carrier measure)."""

    @property
    def _natural_params(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError(f"{type(self).__name__}.entropy(): it follows from the gradient of the log "
                                  "normalizer, and assay's torch computes no gradients")
