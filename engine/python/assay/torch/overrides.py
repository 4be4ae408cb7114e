"""PyTorch's protocol by which other classes take part in calls: `__torch_function__`."""

import functools
import inspect

from assay import _engine as _C
from assay._engine import has_torch_function, has_torch_function_unary, has_torch_function_variadic  # noqa: F401

from ._tensor import Tensor


def _participants(arguments):
    """One argument of each class that has its own, subclasses before their bases."""
    found = []
    for argument in arguments:
        kind = type(argument)
        if not has_torch_function_unary(argument) or any(type(known) is kind for known in found):
            continue
        place = len(found)
        for index, known in enumerate(found):
            if issubclass(kind, type(known)):
                place = index
                break
        found.insert(place, argument)
    return found


def handle_torch_function(public_api, relevant_args, *args, **keywords):
    """Lets the arguments' classes make the call, one after the other."""
    found = _participants(relevant_args)
    types = tuple(map(type, found))
    for argument in found:
        result = argument.__torch_function__(public_api, types, args, keywords)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    refusing = ", ".join(kind.__name__ for kind in types)
    raise TypeError(f"{name}: __torch_function__ of each of {refusing} gave NotImplemented")


def wrap_torch_function(dispatcher):
    """A decorator: `dispatcher` gives the arguments that may take part."""
    def decorate(function):
        @functools.wraps(function)
        def wrapped(*args, **keywords):
            relevant = dispatcher(*args, **keywords)
            if has_torch_function(tuple(relevant)):
                return handle_torch_function(wrapped, relevant, *args, **keywords)
            return function(*args, **keywords)
        return wrapped
    return decorate


def as_declared(function, args, keywords):
    """(args, keywords) as PyTorch's own functions hand a call on: what has no default by position, the
    others, given or not, by name."""
    bound = inspect.signature(function).bind(*args, **keywords)
    bound.apply_defaults()
    positional, named = [], {}
    for name, parameter in bound.signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional.extend(bound.arguments[name])
        elif parameter.kind is parameter.VAR_KEYWORD:
            named.update(bound.arguments[name])
        elif parameter.default is parameter.empty:
            positional.append(bound.arguments[name])
        else:
            named[name] = bound.arguments[name]
    return positional, named


def _takes_part(arguments):
    """Arguments, and those in lists and tuples, whose classes take part."""
    found = []
    for argument in arguments:
        inner = argument if isinstance(argument, (list, tuple)) else (argument,)
        found.extend(one for one in inner if has_torch_function_unary(one))
    return found


def overridable(function):
    """A decorator: arguments' classes that take part get the call."""
    @functools.wraps(function)
    def wrapped(*args, **keywords):
        relevant = _takes_part((*args, *keywords.values()) if keywords else args)
        if relevant:
            positional, named = as_declared(function, args, keywords)
            return handle_torch_function(wrapped, relevant, *positional, **named)
        return function(*args, **keywords)
    return wrapped


def is_tensor_like(inp):
    return type(inp) is Tensor or hasattr(type(inp), "__torch_function__")


def is_tensor_method_or_property(function):
    """Whether it belongs to tensors."""
    name = getattr(function, "__name__", "")
    return name == "__get__" or type(function) is type(Tensor.add) or getattr(Tensor, name, None) is function


def resolve_name(function):
    """'torch.add', 'torch.Tensor.add'."""
    name = getattr(function, "__name__", None)
    if name is None:
        return None
    if is_tensor_method_or_property(function):
        return f"torch.Tensor.{name}"
    return f"{getattr(function, '__module__', 'torch') or 'torch'}.{name}"


class TorchFunctionMode:
    """Modes that see every call are something assay's torch has not."""

    def __enter__(self):
        raise NotImplementedError("assay's torch has no function modes: give the arguments' class a "
                                  "__torch_function__")

    def __exit__(self, *exception):
        return None



def get_default_nowrap_functions():
    return set()


_disabled_torch_function_impl = _C._disabled_torch_function_impl
