"""What transforms have in common."""

import weakref

from . import constraints


class Transform:
    """A function with an inverse. A subclass gives `_call`, `_inverse`, `log_abs_det_jacobian`, and its arguments
    by name in `_arguments` where it has some. With cache_size=1 the inverse of the last result is what it came from."""

    bijective = False
    _arguments = ()
    _equal_by_class = True

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size is 0 or 1")
        self._cache_size = cache_size
        self._inv = None
        self._cached_x_y = (None, None)
        super().__init__()

    def __getstate__(self):
        return {**self.__dict__, "_inv": None}  # Weak references do not pickle.

    @property
    def event_dim(self):
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("events differ in dimensions before and after: ask domain or codomain for event_dim")
        return self.domain.event_dim

    @property
    def inv(self):
        inverse = self._inv and self._inv()
        if inverse is None:
            inverse = _InverseTransform(self)
            self._inv = weakref.ref(inverse)
        return inverse

    @property
    def sign(self):
        """The sign of the derivative, where it has one sign."""
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is not Transform.__init__ and not self._arguments:
            raise NotImplementedError(f"{type(self).__name__} needs a with_cache() of its own")
        return type(self)(*(getattr(self, name) for name in self._arguments), cache_size=cache_size)

    def __eq__(self, other):
        """Transforms without arguments are equal by their class; others by identity, unless they say more."""
        own = type(self)
        return self is other or (own.__init__ is Transform.__init__ and own.__module__.startswith(__name__.rpartition(".")[0])
                                 and own._equal_by_class and isinstance(other, own))

    __hash__ = object.__hash__

    def __call__(self, x):
        if self._cache_size == 0:
            return self._call(x)
        if self._cached_x_y[0] is not x or x is None:
            self._cached_x_y = (x, self._call(x))
        return self._cached_x_y[1]

    def _inv_call(self, y):
        if self._cache_size == 0:
            return self._inverse(y)
        if self._cached_x_y[1] is not y or y is None:
            self._cached_x_y = (self._inverse(y), y)
        return self._cached_x_y[0]

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__ + "()"

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape


class _InverseTransform(Transform):
    def __init__(self, transform):
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return self._inv.domain

    bijective = property(lambda self: self._inv.bijective)
    sign = property(lambda self: self._inv.sign)
    inv = property(lambda self: self._inv)

    def __getstate__(self):
        return self.__dict__

    def with_cache(self, cache_size=1):
        return self.inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = object.__hash__

    def __repr__(self):
        return f"{type(self).__name__}({self._inv!r})"

    def __call__(self, x):
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)


def _with_events(constraint, events):
    more = events - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


def _has_dimensions(shape, count):
    if len(shape) < count:
        raise ValueError(f"a shape of {len(shape)} dimensions has no event of {count}")
