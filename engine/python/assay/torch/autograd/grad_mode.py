"""Switches of the gradient mode. Nothing is differentiated; programs ask whether it would be."""

import functools
import inspect

from assay import _engine as _C

_inference = [False]


class _Switch:
    """A context manager that is a decorator, too."""

    def __call__(self, function):
        if inspect.isclass(function):
            raise TypeError("a class cannot be decorated with a gradient mode; decorate its methods")
        if inspect.isgeneratorfunction(function):
            @functools.wraps(function)
            def generator(*args, **keywords):
                with self.clone():
                    yield from function(*args, **keywords)
            return generator

        @functools.wraps(function)
        def wrapped(*args, **keywords):
            with self.clone():
                return function(*args, **keywords)
        return wrapped

    def clone(self):
        return type(self)()


class no_grad(_Switch):
    """Off inside."""

    def __new__(cls, function=None):
        return super().__new__(cls) if function is None else cls()(function)

    def __enter__(self):
        self.before = _C.is_grad_enabled()
        _C.set_grad_enabled(False)

    def __exit__(self, *exception):
        _C.set_grad_enabled(self.before)


class enable_grad(no_grad):
    """On inside."""

    def __enter__(self):
        self.before = _C.is_grad_enabled()
        _C.set_grad_enabled(True)


class set_grad_enabled(_Switch):
    """On or off, from now on or, as a context manager, inside."""

    def __init__(self, mode):
        self.before = _C.is_grad_enabled()
        self.mode = bool(mode)
        _C.set_grad_enabled(self.mode)

    def __call__(self, function):
        _C.set_grad_enabled(self.before)
        return super().__call__(function)

    def __enter__(self):
        _C.set_grad_enabled(self.mode)

    def __exit__(self, *exception):
        _C.set_grad_enabled(self.before)

    def clone(self):
        return type(self)(self.mode)


class inference_mode(_Switch):
    """As no_grad."""

    def __new__(cls, mode=True):
        return super().__new__(cls) if not callable(mode) else cls()(mode)

    def __init__(self, mode=True):
        self.mode = bool(mode)

    def __enter__(self):
        self.before = _C.is_grad_enabled(), _inference[0]
        if self.mode:
            _C.set_grad_enabled(False)
        _inference[0] = self.mode

    def __exit__(self, *exception):
        grad, _inference[0] = self.before
        _C.set_grad_enabled(grad)

    def clone(self):
        return type(self)(self.mode)


def is_inference_mode_enabled():
    return _inference[0]
