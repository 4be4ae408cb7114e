"""What all distributions have in common."""

import warnings

from .._package import torch
from . import constraints
from .utils import lazy_property

_PACKAGE = __name__.rpartition(".")[0]


class Distribution:
    """A random variable: batches of parameters, each with events of one shape."""

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value):
        """Whether parameters and values are checked where a distribution does not say so itself."""
        if value not in (True, False):
            raise ValueError("set_default_validate_args takes True or False")
        Distribution._validate_args = value

    def __init__(self, batch_shape=torch.Size(), event_shape=torch.Size(), validate_args=None):
        self._batch_shape = batch_shape
        self._event_shape = event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    def _check_parameters(self):
        try:
            wanted = self.arg_constraints
        except NotImplementedError:
            wanted = {}
            warnings.warn(f"{type(self)} has no `arg_constraints`: give it some, or switch checks off by "
                          "validate_args=False")
        for name, constraint in wanted.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue  # Follows from a parameter that is checked itself.
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(f"{self!r}: the parameter {name} ({type(value).__name__} of shape "
                                 f"{tuple(value.shape)}) does not satisfy {constraint!r}:\n{value}")

    def expand(self, batch_shape, _instance=None):
        """The same distribution with batches of this shape; nothing is copied."""
        new = self._blank(_instance)
        batch_shape = torch.Size(batch_shape)
        self._expand_to(new, batch_shape)
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def _expand_to(self, new, batch_shape):
        """Gives `new` this distribution's parameters with batches of this shape."""
        for name, constraint in self.arg_constraints.items():
            if name in self.__dict__:
                value, events = self.__dict__[name], constraint.event_dim
                setattr(new, name, value.expand(batch_shape + value.shape[value.dim() - events:]))

    def _blank(self, instance):
        """An object of this class without contents, which a class that makes its own objects otherwise gives."""
        if instance is None and not type(self).__init__.__module__.startswith(_PACKAGE):
            raise NotImplementedError(f"{type(self).__name__} has an __init__ of its own and needs an expand() as well")
        return self.__new__(type(self)) if instance is None else instance

    def _get_checked_instance(self, cls, _instance=None):
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(f"{type(self).__name__} has an __init__ other than {cls.__name__}'s and needs an "
                                      "expand() as well")
        return self.__new__(type(self)) if _instance is None else _instance

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def arg_constraints(self):
        """What each parameter has to satisfy, by name."""
        raise NotImplementedError

    @property
    def support(self):
        """What all samples satisfy."""
        raise NotImplementedError

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f"{type(self)} has no mode")

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        """Samples as functions of the parameters."""
        raise NotImplementedError

    def sample_n(self, n):
        warnings.warn("sample_n(n) will go away: use sample((n,))", UserWarning)
        return self.sample(torch.Size((n,)))

    def log_prob(self, value):
        raise NotImplementedError

    def cdf(self, value):
        raise NotImplementedError

    def icdf(self, value):
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        """All values that a discrete variable takes, along a new first dimension."""
        raise NotImplementedError

    def _numbered(self, count, dtype, device, expand):
        """The numbers from 0 as values of all batches."""
        values = torch.arange(count, dtype=dtype, device=device).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape=torch.Size()):
        if not isinstance(sample_shape, torch.Size):
            sample_shape = torch.Size(sample_shape)
        return sample_shape + self._batch_shape + self._event_shape

    def _full(self, number, like):
        return torch.full(self._extended_shape(), number, dtype=like.dtype, device=like.device)

    def _check(self, value):
        if self._validate_args:
            self._validate_sample(value)

    def _validate_sample(self, value):
        """Says what is wrong with a value whose probability is asked for."""
        if not isinstance(value, torch.Tensor):
            raise ValueError(f"{type(self).__name__}: a value is a tensor, not {type(value).__name__}")
        events = value.dim() - len(self._event_shape)
        if value.size()[events:] != self._event_shape:
            raise ValueError(f"a value of shape {value.size()} does not end in the event shape {self._event_shape}")
        wanted = self._batch_shape + self._event_shape
        for own, other in zip(reversed(value.size()), reversed(wanted)):
            if own != 1 and other != 1 and own != other:
                raise ValueError(f"a value of shape {value.size()} does not broadcast with batch and event shape {wanted}")
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(f"{type(self)} has no `support` to check values by: give it one, or switch checks off by "
                          "validate_args=False")
            return
        if not support.check(value).all():
            raise ValueError(f"a value ({type(value).__name__} of shape {tuple(value.shape)}) lies outside of the "
                             f"support {support!r} of {self!r}:\n{value}")

    def __repr__(self):
        shown = [(name, self.__dict__[name]) for name in self.arg_constraints if name in self.__dict__]
        return type(self).__name__ + "(" + ", ".join(
            f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in shown) + ")"
