"""What makes a function one of torch.nn.functional."""
import functools
import sys

from ..._jit_internal import _overload
from ...overrides import as_declared, handle_torch_function, has_torch_function

_MODULE = __package__.rpartition('.')[0] + '.functional'


def _chooser(function):
    """The function under which users know one of a pair: max_pool2d of _max_pool2d."""
    if not function.__name__.startswith('_'):
        return function
    return getattr(sys.modules[_MODULE], function.__name__[1:], function)


def named(function):
    """Gives the function the module name under which users know it; what it calls is what takes part."""
    function.__module__ = _MODULE
    return function


def public(function):
    """Gives arguments that bring their own `__torch_function__` (a proxy of torch.fx, a user's tensor) the call,
    and the function the module name under which users and archives know it."""

    @functools.wraps(function)
    def called(*args, **kwargs):
        given = (*args, *kwargs.values()) if kwargs else args
        if has_torch_function(given) and sys.modules[_MODULE].has_torch_function(given):  # Some programs exchange it.
            positional, named = as_declared(function, args, kwargs)
            return handle_torch_function(_chooser(called), given, *positional, **named)
        return function(*args, **kwargs)

    called.__module__ = function.__module__ = _MODULE
    return called


def overload(declaration):
    """Declares one of the signatures under which the following function of this name is compiled."""
    declaration.__module__ = _MODULE
    return _overload(declaration)
