"""What is put in place of functions and methods while a function is traced, and taken back after it."""

import builtins
import functools
import inspect

from .node import map_aggregate
from .proxy import Proxy

# What `wrap` was told of: (globals of a module, name of a function there), and (class, name of a method).
_wrapped_fns_to_patch, _wrapped_methods_to_patch = [], []


class Patcher:
    """Changes to dicts and classes that end with the `with` statement."""

    def __enter__(self):
        self._undo, self.visited = [], set()
        return self

    def __exit__(self, *_):
        for undo in reversed(self._undo):
            undo()

    def patch(self, namespace, name, value):
        if name in namespace:
            self._undo.append(functools.partial(namespace.__setitem__, name, namespace[name]))
        else:
            self._undo.append(functools.partial(namespace.__delitem__, name))
        namespace[name] = value

    def patch_method(self, cls, name, value):
        if name in vars(cls):
            self._undo.append(functools.partial(setattr, cls, name, vars(cls)[name]))
        else:
            self._undo.append(functools.partial(delattr, cls, name))
        setattr(cls, name, value)

    def visit_once(self, namespace):
        """Whether the namespace is seen for the first time."""
        first = id(namespace) not in self.visited
        self.visited.add(id(namespace))
        return first


def find_proxy(*values):
    """A proxy among nested values; None if there is none."""
    found = []
    map_aggregate(values, lambda value: found.append(value) if isinstance(value, Proxy) else None)
    return found[0] if found else None


def recorded_function(function):
    """The function, which becomes one node when it is called with a proxy."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        proxy = find_proxy(args, kwargs)
        if proxy is None:
            return function(*args, **kwargs)
        made = proxy.tracer.create_proxy("call_function", function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    return wrapped


def recorded_method(cls, name):
    """As recorded_function, of a method."""
    method = getattr(cls, name)

    @functools.wraps(method)
    def wrapped(*args, **kwargs):
        proxy = find_proxy(args, kwargs)
        if proxy is not None:
            make = proxy.tracer.create_proxy
            return make("call_method", name, args, kwargs)
        return method(*args, **kwargs)

    return wrapped


def patch_wrapped(patcher):
    for namespace, name in _wrapped_fns_to_patch:
        if name not in namespace and hasattr(builtins, name):
            patcher.patch(namespace, name, recorded_function(getattr(builtins, name)))
        elif not getattr(namespace[name], "__fx_already_patched", False):
            wrapped = recorded_function(namespace[name])
            setattr(wrapped, "__fx_already_patched", True)
            patcher.patch(namespace, name, wrapped)
    for cls, name in _wrapped_methods_to_patch:
        patcher.patch_method(cls, name, recorded_method(cls, name))


def patch_automatically(patcher, namespace, function_ids):
    """Functions of those ids become nodes where this module names them."""
    if not patcher.visit_once(namespace):
        return
    for name, value in list(namespace.items()):
        if id(value) in function_ids and callable(value) and not name.startswith("_"):
            patcher.patch(namespace, name, recorded_function(value))


def wrap(fn_or_name):
    """Called at the top of a module, or as a decorator there: calls of that function with proxies become
    one node each, and tracing does not go inside.

        torch.fx.wrap("len")        # also for Python's own functions

        @torch.fx.wrap
        def rounded(x, y): ...
    """
    name = _name_to_wrap(fn_or_name)
    caller = inspect.currentframe().f_back
    if caller.f_code.co_name != "<module>":
        raise NotImplementedError("wrap stands at the top of a module, not in %s" % caller.f_code.co_name)
    _wrapped_fns_to_patch.append((caller.f_globals, name))
    return fn_or_name


def _name_to_wrap(fn_or_name):
    if isinstance(fn_or_name, str):
        return fn_or_name
    if not callable(fn_or_name):
        raise RuntimeError("wrap takes a function or its name, not %s" % type(fn_or_name).__name__)
    if not hasattr(fn_or_name, "__name__"):
        raise AssertionError("%r has no name; wrap takes functions by that" % (fn_or_name,))
    return fn_or_name.__name__
