"""Compiled functions and methods, and what functions were compiled from. Calls go through no more of Python than these
objects, which a trace does not see (bind/frames.cpp)."""

import functools
import inspect
import pickle

from assay import _engine as _C
from .. import _jit_internal
from . import _above, frontend
from ._source import default_arguments, piece_of
from ._writing import save, save_to_bytes


class Method:
    """A compiled method, bound to its module."""

    def __init__(self, module, name, original=None):
        self._owner = module
        self.name = name
        self.__name__ = name
        self.__doc__ = getattr(original, "__doc__", None)

    def __call__(self, *args, **kwargs):
        compiled = self._owner._c
        if self.name == "forward" and compiled.hooked:  # A call of forward itself runs no hooks.
            return compiled.call("forward", args, kwargs, False)
        return compiled.call(self.name, args, kwargs)

    @property
    def owner(self):
        return self._owner

    @property
    def graph(self):
        return self._owner._c.graph(self.name)

    @property
    def inlined_graph(self):
        return self._owner._c.inlined_graph(self.name)

    @property
    def code(self):
        return self._owner._c.code(self.name)

    @property
    def schema(self):
        return self._owner._c.schema(self.name)


class ScriptFunction:
    """A compiled function."""

    def __init__(self, compiled, original=None):
        self._c = compiled
        self.original = original
        if original is not None:
            functools.update_wrapper(self, original)
        self._torchdynamo_inline = original

    def __call__(self, *args, **kwargs):
        return self._c(*args, **kwargs)

    @property
    def graph(self):
        return self._c.graph

    @property
    def inlined_graph(self):
        return self._c.inlined_graph

    @property
    def code(self):
        return self._c.code

    @property
    def code_with_constants(self):
        return _with_named(self._c.code_with_constants)

    @property
    def schema(self):
        return self._c.schema

    @property
    def name(self):
        return self._c.name

    @property
    def qualified_name(self):
        return self._c.qualified_name

    def graph_for(self, *args, **kwargs):
        return self._c.graph

    def _archived(self):
        return self._c.placeholder()

    def save(self, f, _extra_files=None):
        save(self, f, _extra_files)

    def save_to_buffer(self, _extra_files=None):
        return save_to_bytes(self, _extra_files)

    def __reduce__(self):
        raise pickle.PickleError("ScriptFunction cannot be pickled: write it by torch.jit.save")

    def __repr__(self):
        return f"<torch.jit.ScriptFunction object {self.qualified_name}>"


ScriptFunction.__module__ = __name__.rpartition(".")[0]  # By which it is known.

class Constants:
    """The constants that a source names `CONSTANTS.c0`, as attributes."""

    def __init__(self, values):
        self.const_mapping = {f"c{i}": value for i, value in enumerate(values)}

    def __getattr__(self, name):
        try:
            return self.__dict__["const_mapping"][name]
        except KeyError:
            raise AttributeError(name) from None


def _with_named(code_and_constants):
    code, constants = code_and_constants
    return code, Constants(constants)


# What was compiled from which function.
_functions = {}
_being_compiled = {}
_callers = []
_overloads = {}


def _key(fn):
    return getattr(fn, "__func__", fn)


def compile_function(fn):
    """The compiled form of a Python function; each is compiled once."""
    key = _key(fn)
    known = _functions.get(key)
    if known is not None:
        return known
    function = inspect.unwrap(key)
    if key in _being_compiled:
        raise RuntimeError(f"function '{fn.__name__}' calls itself, which compiled code cannot: write a loop")
    _being_compiled[key] = True
    caller = _callers[-1] if _callers else None
    piece, defaults = piece_of(function), default_arguments(function)
    try:
        with compiling(fn.__name__):
            compiled = _C.script_function(_jit_internal._qualified_name(fn), piece, _above.names_of(function), defaults)
    except RuntimeError as error:
        raise frontend.unsupported(piece) or _with_caller(error, fn, caller)
    finally:
        del _being_compiled[key]
    _functions[key] = ScriptFunction(compiled, fn)
    return _functions[key]


def _with_caller(error, fn, caller):
    """The error, saying for which function this one was compiled."""
    if caller is None:
        return error
    return RuntimeError(f"{error}\n'{fn.__name__}' is being compiled since it was called from '{caller}'")


class compiling:
    """What is compiled meanwhile is compiled for this function or method."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        _callers.append(self.name)

    def __exit__(self, *_):
        _callers.pop()


def compile_overloads(fn):
    """The compiled overloads of a function: each declaration's signature with the one body."""
    qualified = _jit_internal._qualified_name(fn)
    declarations = _jit_internal._get_fn_overloads(qualified)
    known = _overloads.setdefault(_key(fn), [])
    function = inspect.unwrap(_key(fn))
    if function in declarations:
        raise RuntimeError(f"No implementation found for the overloads of '{fn.__name__}'")
    for declaration in declarations[len(known):]:
        defaults = dict(default_arguments(function))
        defaults.update(default_arguments(declaration))
        compiled = _C.script_overload(qualified, piece_of(function), piece_of(declaration), _above.names_of(function), defaults)
        known.append(ScriptFunction(compiled, fn))
    return known


def script_function(fn):
    """What torch.jit.script makes of a function."""
    if hasattr(fn, "__script_if_tracing_wrapper"):
        fn = fn.__original_fn
    if _jit_internal._get_fn_overloads(_jit_internal._qualified_name(fn)) is not None:
        raise RuntimeError(f"{fn.__name__} has overloads: compile a function that calls it instead")
    return compile_function(fn)
