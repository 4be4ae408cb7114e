"""What the names in a Python function mean to the compiler: each object as a tuple of a tag and what
belongs to it (bind/script_names.h lists the tags)."""

import collections
import enum
import inspect
import io
import math
import types
import typing

from assay import _engine as _C
from .. import _jit_internal
from .._jit_internal import lookup, missing
from ._source import default_arguments, not_a_function, piece_of


class Names:
    """The names that a function sees. What it resolves it keeps."""

    def __init__(self, names, own_class=None):
        self.names = names
        self.own_class = own_class

    def value(self, name):
        found = lookup(self.names, name)
        if found is missing:
            return None
        return describe(found)

    def type(self, name):
        from . import annotations
        first, *rest = name.split(".")
        found = lookup(self.names, first)
        for part in rest:
            found = getattr(found, part, missing)
        if found is missing:
            return None
        if annotations.is_tensor(found):
            return "Tensor"
        if not inspect.isclass(found):
            return None
        return class_name(found)


def names_of(fn):
    return Names(_jit_internal.get_closure(getattr(fn, "__func__", fn)))


def names_of_frame(frames_up):
    """What a text means that the caller, so many frames above the one who asks, gives to the compiler."""
    frame = inspect.currentframe().f_back
    for _ in range(frames_up):
        frame = frame.f_back
    return Names({**frame.f_globals, **frame.f_locals})


_compiled_classes = {}
_engine_classes = {}


def class_name(cls, compiled_only=False):
    """The name of the compiled form of a class; None if objects of it cannot be compiled."""
    known = _compiled_classes.get(cls)
    if known or compiled_only:
        return known
    from . import annotations
    simple = annotations._simple_names().get(cls)
    if simple:
        return simple
    if _jit_internal._is_named_tuple(cls):
        return _remember(cls, _compile_named_tuple(cls))
    if issubclass(cls, enum.Enum):
        return _remember(cls, _compile_enum(cls))
    from . import _grad_modes
    cls = _grad_modes.compiled_form(cls)
    if not _can_be_compiled(cls):
        return None
    return _compiled_classes.get(cls) or compile_class(cls)


def _remember(cls, name):
    _compiled_classes[cls] = name
    _C.script_python_class(name, cls)
    return name


def _can_be_compiled(cls):
    from ..nn import Module
    outside = ("builtins", "collections", "typing")
    if issubclass(cls, (Module, BaseException, tuple, io.IOBase)) or cls.__module__ in outside:
        return False
    if getattr(cls, "__module__", "").startswith(("torch", "assay.torch")) and not inspect.isfunction(
            cls.__dict__.get("__init__")):
        return False
    return True


def _compile_named_tuple(cls):
    from .annotations import annotation_text
    hints = inspect.get_annotations(cls) or inspect.get_annotations(cls.__base__)
    types_of = [annotation_text(hints[field]) if field in hints else "Tensor" for field in cls._fields]
    return _C.script_named_tuple(_jit_internal._qualified_name(cls), list(cls._fields), types_of)


def _compile_enum(cls):
    from .annotations import infer
    members = {name: member.value for name, member in cls.__members__.items()}
    kinds = {infer(value) for value in members.values()}
    if len(kinds) != 1:
        raise RuntimeError(f"Could not unify type list for enum '{cls.__name__}': its values are of types "
                           f"{', '.join(sorted(kinds))}")
    return _C.script_enum(_jit_internal._qualified_name(cls), members, kinds.pop())


def _methods_of(cls):
    for name, member in inspect.getmembers(cls, inspect.isfunction):
        if name in cls.__dict__ and not _jit_internal.is_static_fn(cls, name) and not _jit_internal.should_drop(member):
            yield member


def class_names(cls):
    names = {}
    for member in cls.__dict__.values():
        member = getattr(member, "__func__", member)
        if inspect.isfunction(member):
            names.update(_jit_internal.get_closure(member))
    names[cls.__name__] = cls
    return Names(names, cls)


def compile_class(cls):
    """Compiles a class of the language's own, with all its methods."""
    import dataclasses
    if dataclasses.is_dataclass(cls):
        raise RuntimeError(f"the dataclass '{cls.__name__}' cannot be compiled: write its __init__ out, or use a "
                           "typing.NamedTuple")
    if len(cls.mro()) > 2 and cls.mro()[1] is not object:
        raise RuntimeError(f"the class '{cls.__name__}' cannot be compiled: it derives from "
                           f"'{cls.mro()[1].__name__}', and TorchScript's classes derive from nothing")
    methods = [(piece_of(method), default_arguments(method)) for method in _methods_of(cls)]
    qualified = _jit_internal._qualified_name(cls)
    name = _C.script_class_name(qualified)
    _remember(cls, name)
    try:
        _C.script_class(name, "", methods, class_names(cls))
    except BaseException:
        del _compiled_classes[cls]
        raise
    return name


def compile_interface(cls):
    from ..nn import Module
    methods = [(piece_of(method), default_arguments(method)) for method in _methods_of(cls)]
    base = "ModuleInterface" if issubclass(cls, Module) else "Interface"
    name = _C.script_class_name(_jit_internal._qualified_name(cls))
    _remember(cls, name)
    _C.script_class(name, base, methods, class_names(cls))
    return name


def describe(obj, constant=False):
    """`constant`: whether plain numbers, texts and the like may be used as they are. A global
    variable may not, a member of a module may."""
    from .. import device, dtype, layout, memory_format
    if constant:
        if obj is None or isinstance(obj, (bool, int, float, complex, str)):
            return ("constant", obj, None)
        if isinstance(obj, (tuple, list)):
            return ("tuple", [describe(item, True) for item in obj])
    if isinstance(obj, (dtype, device, layout, memory_format)):
        return ("constant", obj, None)
    if isinstance(obj, enum.Enum):
        return ("member", class_name(type(obj)), obj.name)
    from ._script import ScriptFunction
    if isinstance(obj, ScriptFunction):
        return ("function", obj._c.qualified_name)
    special = _special(obj)
    if special:
        return special
    if isinstance(obj, types.ModuleType):
        return _module(obj)
    if inspect.isclass(obj):
        return _class(obj)
    return _callable(obj)


def _module(module):
    def member(name):
        found = getattr(module, name, missing)
        return None if found is missing else describe(found, True)

    return ("namespace", module.__name__, member)


def _class(cls):
    if _jit_internal._is_exception(cls):
        return ("exception", _jit_internal._qualified_name(cls, mangle_name=False))
    name = class_name(cls)
    if name is None:
        return ("opaque", "python value of type 'type'")
    if _jit_internal._is_named_tuple(cls):
        return ("namedtuple", name)
    return ("enum" if issubclass(cls, enum.Enum) else "class", name, lambda member: _static_method(cls, member))


def _static_method(cls, name):
    if not _jit_internal.is_static_fn(cls, name):
        return None
    return describe(_jit_internal.get_static_fn(cls, name))


def _callable(obj):
    from ..nn import Module
    from ._script import ScriptModule
    if isinstance(obj, ScriptModule):
        raise RuntimeError("Cannot call a ScriptModule that is not a submodule of the caller: make it an attribute of "
                           f"the module that calls it ({type(obj).__name__})")
    if isinstance(obj, Module) or not callable(obj):
        return ("opaque", f"python value of type '{type(obj).__name__}'")
    if inspect.isbuiltin(obj):
        raise RuntimeError(f"Python builtin {obj!r} is currently not among what TorchScript has: write what it does "
                           "with other functions, or hide the call behind @torch.jit.ignore")
    dispatched = _jit_internal._try_get_dispatched_fn(obj)
    if dispatched:
        return ("switch", obj.__name__, dispatched["arg_name"], dispatched["index"], dispatched["default"],
                lambda: describe(dispatched["if_true"]), lambda: describe(dispatched["if_false"]))
    if _jit_internal.is_ignored_fn(obj):
        return outside(obj)
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        return _function(obj)
    raise not_a_function(obj)


def _function(fn):
    from ._script import compile_function, compile_overloads
    if getattr(fn, "__script_if_tracing_wrapper", False):
        fn = fn.__original_fn
    qualified = _jit_internal._qualified_name(fn)
    if _jit_internal._get_fn_overloads(qualified) is not None:
        return ("overloads", fn.__name__, [("function", each._c.qualified_name) for each in compile_overloads(fn)])
    return ("function", compile_function(fn)._c.qualified_name)


def outside(fn, bound=False):
    """A function that compiled code leaves to Python, or that it must not call."""
    from .annotations import annotation_text
    function = getattr(fn, "__func__", fn)
    parameters = list(inspect.signature(function).parameters.values())
    hints = {name: hint for name, hint in getattr(function, "__annotations__", {}).items()}
    names = _jit_internal.get_closure(function)

    def text(hint):
        if isinstance(hint, str):  # Written with `from __future__ import annotations`, or quoted.
            hint = eval(hint, names, vars(typing))
        return annotation_text(hint)

    typed = [(p.name, text(hints[p.name]) if p.name in hints else "Tensor") for p in parameters]
    result = text(hints["return"]) if "return" in hints else "Tensor"
    tag = "dropped" if _jit_internal.should_drop(function) else "outside"
    return (tag, function.__name__, _on_module(fn) if bound else fn, typed, result, bound)


def _on_module(method):
    """A method of a Python module's class for a compiled object."""

    def call(compiled, *args):
        from ._recursive import wrap_cpp_module
        return method(wrap_cpp_module(compiled), *args)

    return call


_specials = {}
_math_operators = """acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 fabs
    factorial floor fmod frexp gamma gcd isfinite isinf isnan ldexp lgamma log log10 log1p log2 mathremainder modf pow
    radians sin sinh sqrt tan tanh""".split()


def _special(obj):
    if not _specials:
        _specials.update({id(key): value for key, value in _special_objects()})
    found = _specials.get(id(obj))
    if found:
        return found() if callable(found) else found
    operator = _operator_of(obj)
    if operator:
        return ("builtin", operator)
    return None


def _operator_of(obj):
    """The operator that a function of torch stands for, or None."""
    from .. import torch
    kind = type(obj).__name__
    if kind == "operator_function":
        return obj._operator
    if kind == "operator_method" or not inspect.isfunction(obj) or obj in torch.functional.compiled:
        return None
    name = obj.__name__
    of_torch = (obj.__module__ or "").removeprefix("assay.").split(".")[0] == "torch"
    if of_torch and getattr(torch, name, None) is obj and _C.operator("aten::" + name):
        return "aten::" + name
    return None


def _not_tracing() -> bool:
    return False


def _special_objects():
    from .. import torch
    from . import _async, _script
    from ..nn.modules import utils
    yield _script.annotate, ("form", "prim::annotate")
    yield _script.isinstance_, ("form", "prim::isinstance")
    yield _script._unwrap_optional, ("builtin", "aten::_unwrap_optional")
    yield _script.unchecked_cast, ("form", "prim::unchecked_cast")
    yield _async.fork, ("form", "prim::fork")
    yield _async.wait, ("builtin", "aten::wait")
    yield _jit_internal.is_scripting, ("builtin", "aten::is_scripting")
    yield torch.jit.is_tracing, lambda: _function(_not_tracing)
    yield collections.OrderedDict, ("builtin", "aten::dict")
    yield torch.device, ("builtin", "aten::device")
    yield torch.ops, ("operators", "ops")
    yield torch._assert, ("builtin", "aten::_assert")
    yield torch.overrides.has_torch_function, ("builtin", "aten::has_torch_function")
    yield torch.is_grad_enabled, ("builtin", "aten::is_grad_enabled")
    yield torch.set_grad_enabled, ("builtin", "aten::set_grad_enabled")
    for name in ("_single", "_pair", "_triple", "_quadruple"):
        yield getattr(utils, name), ("builtin", "aten::" + name)
    yield utils._list_with_default, ("builtin", "aten::list_with_default")
    for name in _math_operators:
        if hasattr(math, name):
            yield getattr(math, name), ("builtin", "aten::" + name)
    yield math.remainder, ("builtin", "aten::mathremainder")
    tracing = getattr(getattr(torch, "_C", None), "_get_tracing_state", None)
    if tracing is not None:
        yield tracing, ("builtin", "aten::_get_tracing_state")
    import warnings
    yield warnings.warn, ("builtin", "aten::warn")
