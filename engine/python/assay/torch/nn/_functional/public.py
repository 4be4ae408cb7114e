"""What makes a function one of torch.nn.functional."""
import functools

from ..._jit_internal import _overload
from ...overrides import handle_torch_function, has_torch_function

_MODULE = __package__.rpartition('.')[0] + '.functional'


def public(function):
    """Gives arguments that bring their own `__torch_function__` (a proxy of torch.fx, a user's tensor) the call,
    and the function the module name under which users and archives know it."""

    @functools.wraps(function)
    def called(*args, **kwargs):
        given = (*args, *kwargs.values()) if kwargs else args
        if has_torch_function(given):
            return handle_torch_function(called, given, *args, **kwargs)
        return function(*args, **kwargs)

    called.__module__ = function.__module__ = _MODULE
    return called


def overload(declaration):
    """Declares one of the signatures under which the following function of this name is compiled."""
    declaration.__module__ = _MODULE
    return _overload(declaration)
