"""Types: from Python annotations and from values to the texts that the compiler reads
(`List[int]`, `Optional[Tensor]`, `__torch__.Color`)."""

import enum
import inspect
import types
import typing
import warnings
from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: F401  (programs import them from here)

from assay import _engine as _C
from .._jit_internal import (  # noqa: F401  (programs import the lists from here)
    BroadcastingList1, BroadcastingList2, BroadcastingList3, _is_named_tuple, is_final)
from .. import _legacy_types
from .._tensor import Tensor
from ..nn.parameter import Parameter
from . import _above
from ._functions import ScriptFunction

SIMPLE = {Tensor: "Tensor", Parameter: "Tensor", int: "int", float: "float", bool: "bool", complex: "complex", str: "str",
           type(None): "NoneType", typing.Any: "Any", _C.device: "Device", _C.dtype: "int", _C.layout: "int",
           _C.memory_format: "int", _C.Generator: "Generator", list: None, tuple: None, dict: None}


def is_tensor(cls):
    """Whether a class is one of tensors; says that compiled code forgets what more than that it says."""
    if isinstance(cls, _legacy_types._TensorKind):
        warnings.warn("TorchScript will treat type annotations of Tensor dtype-specific subtypes as if they were just "
                      "Tensor: the dtype is not checked")
        return True
    return inspect.isclass(cls) and issubclass(cls, Tensor)


def _generic(name, arguments):
    return f"{name}[{', '.join(arguments)}]"


def try_annotation(ann):
    """The text of an annotation's type; None if it is none that compiled programs have."""
    if ann is None:
        return "NoneType"
    if ann is inspect.Parameter.empty:
        return "Tensor"
    try:
        simple = SIMPLE.get(ann)
    except TypeError:
        simple = None
    if simple:
        return simple
    if isinstance(ann, str):
        return ann
    if is_tensor(ann):
        return "Tensor"
    if isinstance(ann, typing.ForwardRef):
        return ann.__forward_arg__
    origin, arguments = typing.get_origin(ann), typing.get_args(ann)
    if is_final(ann):
        return try_annotation(arguments[0]) if arguments else None
    if origin is not None:
        if origin is tuple and arguments == ((),):
            return "Tuple[()]"
        texts = [try_annotation(argument) for argument in arguments]
        if any(text is None for text in texts):
            return None
        if origin is tuple:
            return _generic("Tuple", texts) if texts else "Tuple[()]"
        if origin is list:
            return _generic("List", texts)
        if origin is dict:
            return _generic("Dict", texts)
        if origin is typing.Union or origin is getattr(types, "UnionType", None):
            present = [text for text in texts if text != "NoneType"]
            if len(present) == 1 and len(texts) == 2:
                return _generic("Optional", present)
            return _generic("Union", texts)
        if getattr(origin, "__name__", "") == "Future":
            return _generic("Future", texts)
        return None
    if inspect.isclass(ann):
        return _above.class_name(ann)
    return None


def annotation_text(ann):
    text = try_annotation(ann)
    if text is None:
        raise ValueError(f"Unknown type annotation: '{ann}'")
    return text


class CannotInfer(Exception):
    """A value whose type compiled programs do not have, or that its parts do not tell."""


def _parts(text):
    """Name and arguments of `Name[a, b]`."""
    name, _, inner = text.partition("[")
    parts, depth = [""], 0
    for letter in inner[:-1]:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return name, [part.strip() for part in parts] if inner else []


def _common(one, other):
    """The type of which both are, or None."""
    if one == other:
        return one
    (name, parts), (other_name, other_parts) = _parts(one), _parts(other)
    if "NoneType" in (one, other):
        given = one if other == "NoneType" else other
        return given if _parts(given)[0] == "Optional" else _generic("Optional", [given])
    if "Optional" in (name, other_name):
        inner = _common(parts[0] if name == "Optional" else one, other_parts[0] if other_name == "Optional" else other)
        return inner and _generic("Optional", [inner])
    if name != "Tuple" or other_name != "Tuple" or len(parts) != len(other_parts):
        return None
    members = [_common(*pair) for pair in zip(parts, other_parts)]
    return None if None in members else _generic("Tuple", members)


def _unify(texts, what):
    common = texts[0]
    for text in dict.fromkeys(texts):
        wider = _common(common, text)
        if wider is None:
            raise CannotInfer(f"{what} are of different types: {common} and {text}")
        common = wider
    return common


def infer(value):
    """The type of a value; CannotInfer with the reason if there is none."""
    if value is None:
        return "NoneType"
    known = SIMPLE.get(type(value))
    if known:
        return known
    if isinstance(value, Tensor):
        return "Tensor"
    if type(value) is tuple:
        return _generic("Tuple", [infer(item) for item in value]) if value else "Tuple[()]"
    if isinstance(value, enum.Enum):
        return _above.class_name(type(value))
    for base in (bool, int, float, str):
        if isinstance(value, base):
            return base.__name__
    if isinstance(value, tuple):
        return _above.class_name(type(value)) if _is_named_tuple(type(value)) else infer(tuple(value))
    if isinstance(value, list):
        if not value:
            raise CannotInfer("List trace inputs must have elements")
        return _generic("List", [_unify([infer(item) for item in value], "List elements")])
    if isinstance(value, dict):
        if not value:
            raise CannotInfer("Dictionary inputs must have entries")
        return _generic("Dict", [_unify([infer(key) for key in value], "Dictionary keys"),
                                 _unify([infer(item) for item in value.values()], "Dictionary values")])
    if isinstance(value, _C.ScriptList):
        return _generic("List", [value._shared.element])
    if isinstance(value, _C.ScriptDict):
        return value._shared.type
    if isinstance(value, _C.ScriptInstance):
        return value._c.type_name
    if isinstance(value, _above.RecursiveScriptModule):
        raise CannotInfer("Cannot infer type of ScriptModule")
    script_class = _above.class_of_object(type(value)) if not isinstance(value, ScriptFunction) else None
    if script_class:
        return script_class
    raise CannotInfer("Only tensors and (possibly nested) tuples of tensors, lists, or dicts are supported, but "
                      f"the value is of type {type(value).__name__}")
