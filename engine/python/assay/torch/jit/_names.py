"""What the names in a Python function mean to the compiler: each object as a tuple of a tag and what
belongs to it (bind/script_names.h lists the tags)."""

import ast
import cmath
import collections
import dataclasses
import enum
import inspect
import io
import math
import re
import textwrap
import types
import typing

from assay import _engine as _C
from .. import _jit_internal, _legacy_types
from .._jit_internal import lookup, missing
from .._package import torch
from ..nn import Module
from ..nn.modules import utils
from . import _above, _async, _contexts, _dataclasses, _forms, annotations
from ._functions import ScriptFunction, compile_function, compile_overloads
from ._source import default_arguments, not_a_function, piece_of, piece_of_text


class Names:
    """The names that a function sees. What it resolves it keeps."""

    def __init__(self, names, functions=()):
        self.names = names
        self.functions = functions  # In whose signatures types may stand that nothing else names.

    def value(self, name):
        found = lookup(self.names, name)
        if found is missing:
            return None
        return describe(found)

    def type(self, name):
        first, *rest = name.split(".")
        found = lookup(self.names, first)
        if found is annotations.Tensor and not rest:
            return "Tensor"
        if found is missing:
            found = self._named_in_signatures(first)
        for part in rest:
            found = getattr(found, part, missing)
        if found is missing:
            return None
        if annotations.is_tensor(found):
            return "Tensor"
        if typing.get_args(found):  # Axes = List[Tuple[str, int]]
            return annotations.try_annotation(found)
        if not inspect.isclass(found):
            return None
        if issubclass(found, Module):  # The type of the first of its objects that was compiled.
            return _jit_internal._qualified_name(found)
        return class_name(found)

    def _named_in_signatures(self, name):
        """A local name that only annotations use: no closure holds it."""
        for function in self.functions:
            found = _names_in_annotations(function)
            if name in found:
                return found[name]
        return missing


def _names_in_annotations(fn):
    """What the names in a function's annotations mean, by the annotations' values."""
    found = {}

    def match(node, meaning):
        if isinstance(node, ast.Name):
            found.setdefault(node.id, meaning)
        elif isinstance(node, ast.Subscript):
            nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for each, part in zip(nodes, typing.get_args(meaning)):
                match(each, part)

    function = getattr(fn, "__func__", fn)
    try:
        definition = ast.parse(textwrap.dedent(piece_of(function)[0])).body[0]
    except (OSError, SyntaxError):
        return found
    hints = getattr(function, "__annotations__", {})
    for argument in [*definition.args.posonlyargs, *definition.args.args, *definition.args.kwonlyargs]:
        match(argument.annotation, hints.get(argument.arg))
    match(definition.returns, hints.get("return"))
    return found


def names_of(fn):
    function = getattr(fn, "__func__", fn)
    return Names(_jit_internal.get_closure(function), (function,))


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
    simple = annotations.SIMPLE.get(cls)
    if simple:
        return simple
    if _jit_internal._is_named_tuple(cls):
        return _remember(cls, _compile_named_tuple(cls))
    if issubclass(cls, enum.Enum):
        return _remember(cls, _compile_enum(cls))
    cls = _contexts.compiled_form(cls)
    if not _can_be_compiled(cls):
        return None
    if dataclasses.is_dataclass(cls) and cls not in _compiled_classes:
        raise OSError(f"the methods of the dataclass '{cls.__name__}' have no source: decorate it with @torch.jit.script, "
                      "which writes them")
    return _compiled_classes.get(cls) or compile_class(cls)


def class_of_object(cls):
    """As class_name, for the class of an object that Python made: None if it cannot be compiled."""
    if not inspect.isclass(cls) or _compiled_classes.get(cls):
        return _compiled_classes.get(cls)
    routines = [member for member in vars(cls).values() if inspect.isroutine(member)]
    if not all(hasattr(getattr(member, "__func__", member), "__code__") for member in routines):
        return None
    try:
        return class_name(cls)
    except Exception:  # Whatever is wrong with the class, the object is none of the program's.
        return None


def _remember(cls, name):
    _compiled_classes[cls] = name
    _C.script_python_class(name, cls)
    return name


def _can_be_compiled(cls):
    outside = ("builtins", "collections", "typing")
    if issubclass(cls, (Module, BaseException, tuple, io.IOBase)) or cls.__module__ in outside:
        return False
    if getattr(cls, "__module__", "").startswith(("torch", "assay.torch")) and not inspect.isfunction(
            cls.__dict__.get("__init__")):
        return False
    return True


def _compile_named_tuple(cls):
    hints = inspect.get_annotations(cls) or inspect.get_annotations(cls.__base__)
    for field, value in cls._field_defaults.items():
        if isinstance(value, annotations.Tensor):
            raise RuntimeError(f"Tensors are not supported as default NamedTuple fields: '{field}' of {cls.__name__} "
                               "has one. Make it None, and the tensor where the tuple is used")
    types_of = [annotations.annotation_text(hints[field]) if field in hints else "Tensor" for field in cls._fields]
    return _C.script_named_tuple(_jit_internal._qualified_name(cls), list(cls._fields), types_of)


def _compile_enum(cls):
    members = {name: member.value for name, member in cls.__members__.items()}
    kinds = {annotations.infer(value) for value in members.values()}
    for kind in sorted(kinds - {"int", "float", "str"}):
        raise RuntimeError(f"Cannot create Enum with value type '{kind}' ({cls.__name__}): the values are to be ints, "
                           "floats or texts")
    if len(kinds) != 1:
        raise RuntimeError(f"Could not unify type list for enum '{cls.__name__}': its values are of types "
                           f"{', '.join(sorted(kinds))}")
    return _C.script_enum(_jit_internal._qualified_name(cls), members, kinds.pop())


def _functions_of(cls):
    """The functions in a class's body, with their names; static methods are compiled when they are called."""
    for name, member in sorted(vars(cls).items()):
        if isinstance(member, classmethod):
            yield name, member.__func__
        elif inspect.isfunction(member):
            yield name, member


def _class_names(cls):
    """The names that the methods of a class see."""
    functions = [getattr(member, "__func__", member) for member in vars(cls).values()]
    functions += [each for member in functions if isinstance(member, property)
                  for each in (member.fget, member.fset) if each]
    functions = [each for each in functions if inspect.isfunction(each)]
    names = {}
    for function in functions:
        names.update(_jit_internal.get_closure(function))
    for member in vars(cls).values():
        if isinstance(member, classmethod):
            names[inspect.unwrap(member.__func__).__code__.co_varnames[0]] = cls
    names[cls.__name__] = cls
    return Names(names, functions)


def _dropped_method(name, function):
    """In place of a method that is not to be compiled: it raises."""
    parameters = [p for p in inspect.signature(function).parameters.values()
                  if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    listed = ", ".join([parameters[0].name] + [f"{p.name}: Any" for p in parameters[1:]])
    hint = function.__annotations__.get("return", inspect.Parameter.empty)
    result = "" if hint is inspect.Parameter.empty else f" -> {annotations.annotation_text(hint)}"
    return piece_of_text(f"def {name}({listed}){result}:\n    raise RuntimeError('{name} is marked as unused')\n")


def _methods_of(cls):
    """(piece, default values, name, whether it is a class method) of all that is compiled of a class."""
    for name, function in _functions_of(cls):
        if dataclasses.is_dataclass(cls) and not _dataclasses.is_written_out(cls, name):
            continue
        if _jit_internal.should_drop(function):
            yield _dropped_method(name, function), {}, name, False
        elif not _jit_internal.is_ignored_fn(function):
            of_class = isinstance(vars(cls)[name], classmethod)
            yield piece_of(function), default_arguments(function), name, of_class
    unused = getattr(cls, "__jit_unused_properties__", ())
    for name, item in vars(cls).items():
        if isinstance(item, property) and name not in unused and not _jit_internal.should_drop(item.fget):
            yield piece_of(item.fget), {}, f"__{name}_getter", False
            if item.fset:
                yield piece_of(item.fset), {}, f"__{name}_setter", False


def compile_class(cls, around=None):
    """Compiles a class of the language's own, with all its methods. What names mean where it is compiled, `around`,
    tells what none of its functions sees: types that only comments name."""
    if len(cls.mro()) > 2 and cls.mro()[1] is not object:
        raise RuntimeError(f"the class '{cls.__name__}' cannot be compiled: it derives from "
                           f"'{cls.mro()[1].__name__}', and TorchScript does not support inheritance of classes")
    name = _C.script_class_name(_jit_internal._qualified_name(cls))
    _remember(cls, name)
    try:
        methods = list(_methods_of(cls))
        if dataclasses.is_dataclass(cls):
            methods += [(piece_of_text(text), defaults, "", False)
                        for text, defaults in _dataclasses.generated_methods(cls)]
        names = _class_names(cls)
        if around is not None:
            names.names = {**around.names, **names.names}
        _C.script_class(name, "", methods, names)
    except BaseException:
        del _compiled_classes[cls]
        raise
    return name


def compile_interface(cls):
    if not (cls.__bases__ == (object,) or cls.__bases__ == (Module,)):
        raise RuntimeError(f"the interface '{cls.__name__}' derives from '{cls.__bases__[0].__name__}', but an interface "
                           "does not support inheritance yet. Please directly derive it from nn.Module, or from nothing")
    methods = [(piece_of(function), default_arguments(function), name, False) for name, function in _functions_of(cls)]
    base = "ModuleInterface" if issubclass(cls, Module) else "Interface"
    name = _C.script_class_name(_jit_internal._qualified_name(cls))
    _remember(cls, name)
    _C.script_class(name, base, methods, _class_names(cls))
    return name


def describe(obj, constant=False):
    """`constant`: whether plain numbers, texts and the like may be used as they are. A global
    variable may not, a member of a module may."""
    if constant:
        if obj is None or isinstance(obj, (bool, int, float, complex, str)):
            return ("constant", obj, None)
        if isinstance(obj, (tuple, list)):
            return ("tuple", [describe(item, True) for item in obj])
    if isinstance(obj, (_C.dtype, _C.device, _C.layout, _C.memory_format)) or (
            isinstance(obj, float) and not math.isfinite(obj)):  # `from math import inf`
        return ("constant", obj, None)
    if isinstance(obj, enum.Enum):
        return ("member", class_name(type(obj)), obj.name)
    if isinstance(obj, ScriptFunction):
        return ("function", obj._c.qualified_name)
    if isinstance(obj, _legacy_types._TensorKind) and obj.device == "cpu":
        return ("tensor of", obj.__name__, obj.dtype)
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
        if issubclass(cls, Module):  # Whose static methods are functions.
            return ("namespace", cls.__name__, lambda member: _static_method(cls, member))
        return ("opaque", "python value of type 'type'")
    if _jit_internal._is_named_tuple(cls):
        return ("namedtuple", name, _default_fields(cls))
    return ("enum" if issubclass(cls, enum.Enum) else "class", name, lambda member: _static_method(cls, member))


def _default_fields(cls):
    """The values of a named tuple's last fields, which a call may leave out."""
    return tuple(cls._field_defaults[field] for field in cls._fields if field in cls._field_defaults)


def _static_method(cls, name):
    if not _jit_internal.is_static_fn(cls, name):
        return None
    return describe(_jit_internal.get_static_fn(cls, name))


def _callable(obj):
    if isinstance(obj, _above.ScriptModule):
        raise RuntimeError("Cannot call a ScriptModule that is not a submodule of the caller: make it an attribute of "
                           f"the module that calls it ({type(obj).__name__})")
    if isinstance(obj, Module):
        return _module_outside(obj)
    if not callable(obj):
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


def _module_outside(module):
    """A module of Python's that a function knows: its calls are left to Python."""
    tag, _, _, typed, result, _, open_ended = outside(type(module).forward)
    return (tag, type(module).__name__, module, typed[1:], result, False, open_ended)


def _function(fn):
    if getattr(fn, "__script_if_tracing_wrapper", False):
        fn = fn.__original_fn
    qualified = _jit_internal._qualified_name(fn)
    if _jit_internal._get_fn_overloads(qualified) is not None:
        return ("overloads", fn.__name__, [("function", each._c.qualified_name) for each in compile_overloads(fn)])
    return ("function", compile_function(fn)._c.qualified_name)


def outside(fn, bound=False):
    """A function that compiled code leaves to Python, or that it must not call."""
    function = getattr(fn, "__func__", fn)
    parameters = list(inspect.signature(function).parameters.values())
    hints = dict(getattr(function, "__annotations__", {})) or _hints_of_comment(function, parameters)
    names = _jit_internal.get_closure(inspect.unwrap(function))

    def text(hint):
        if isinstance(hint, str):  # In a comment, quoted, or under `from __future__ import annotations`.
            try:
                hint = eval(hint, names, vars(typing))
            except NameError:  # One that the compiler knows: Tensor.
                return hint
        return annotations.annotation_text(hint)

    typed = [(p.name, text(hints[p.name]) if p.name in hints else "Tensor") for p in parameters
             if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    open_ended = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    result = text(hints["return"]) if "return" in hints else "Tensor"
    tag = "dropped" if _jit_internal.should_drop(function) else "outside"
    return (tag, function.__name__, _on_module(fn) if bound else fn, typed, result, bound, open_ended)


def _hints_of_comment(function, parameters):
    """The types that a comment under a function's head says: `# type: (Tensor, int) -> Tensor`."""
    try:
        found = re.search(r"#\s*type:\s*\((.*)\)\s*->\s*(.+)", piece_of(function)[0])
    except (OSError, RuntimeError):
        return {}
    if not found:
        return {}
    listed = ast.parse(f"({found[1]},)" if found[1].strip() else "()", mode="eval").body.elts
    named = parameters[len(parameters) - len(listed):]  # Not of `self`.
    return {**{p.name: ast.unparse(node) for p, node in zip(named, listed)}, "return": found[2].split("#")[0].strip()}


def _on_module(method):
    """A method of a Python module's class for a compiled object."""

    def call(compiled, *args):
        return method(_above.wrap_cpp_module(compiled), *args)

    return call


_specials = {}
_math_operators = """acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 fabs
    factorial floor fmod frexp gamma gcd isfinite isinf isnan ldexp lgamma log log10 log1p log2 mathremainder modf pow
    radians sin sinh sqrt tan tanh""".split()


_complex_operators = """acos acosh asin asinh atan atanh cos cosh exp isfinite isinf isnan log log10 polar sin sinh
    sqrt tan tanh""".split()


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
    yield _jit_internal.annotate, ("form", "prim::annotate")
    yield _forms.isinstance_, ("form", "prim::isinstance")
    yield _forms._unwrap_optional, ("builtin", "aten::_unwrap_optional")
    yield _forms.unchecked_cast, ("form", "prim::unchecked_cast")
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
    for name in _complex_operators:
        yield getattr(cmath, name), ("builtin", "aten::" + name)
    yield cmath.phase, ("builtin", "aten::angle")
    yield math.remainder, ("builtin", "aten::mathremainder")
    tracing = getattr(getattr(torch, "_C", None), "_get_tracing_state", None)
    if tracing is not None:
        yield tracing, ("builtin", "aten::_get_tracing_state")
    import warnings
    yield warnings.warn, ("builtin", "aten::warn")


_above.class_name, _above.class_of_object, _above.names_of = class_name, class_of_object, names_of
