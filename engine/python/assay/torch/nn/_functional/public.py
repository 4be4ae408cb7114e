"""What makes a function one of torch.nn.functional."""
import functools

from ... import torch
from ..._jit_internal import _overload
from ...overrides import handle_torch_function
from ..parameter import Parameter

_MODULE = __package__.rpartition('.')[0] + '.functional'
_PLAIN = frozenset({torch.Tensor, Parameter, int, float, bool, str, tuple, list, type(None), torch.Size})


def _is_overridden(arg):
    return type(arg) not in _PLAIN and hasattr(type(arg), '__torch_function__')


def public(function):
    """Gives arguments that bring their own `__torch_function__` (a proxy of torch.fx, a user's tensor) the call,
    and the function the module name under which users and archives know it."""

    @functools.wraps(function)
    def called(*args, **kwargs):
        for arg in (*args, *kwargs.values()) if kwargs else args:
            if _is_overridden(arg):
                relevant = tuple(filter(_is_overridden, (*args, *kwargs.values())))
                return handle_torch_function(called, relevant, *args, **kwargs)
        return function(*args, **kwargs)

    called.__module__ = function.__module__ = _MODULE
    return called


def overload(declaration):
    """Declares one of the signatures under which the following function of this name is compiled."""
    declaration.__module__ = _MODULE
    return _overload(declaration)
