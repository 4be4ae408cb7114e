"""What operators can be called with: their signatures, and arguments brought into their form."""

import inspect
import numbers
import typing
import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .._jit_internal import boolean_dispatched
from ._compatibility import compatibility
from .._package import torch
from ._schema_text import Schema

__all__ = [
    "ArgsKwargsPair", "check_for_mutable_operation", "get_signature_for_torch_op", "create_type_hint", "type_matches",
    "normalize_function", "normalize_module",
]  # fmt: skip


@compatibility(is_backward_compatible=False)
class ArgsKwargsPair(NamedTuple):
    """The arguments of a call."""

    args: Tuple[Any, ...]
    kwargs: Dict[str, Any]


_OPERATORS = (type(torch.relu), type(torch.ops.aten.relu))


def _schemas_of(op):
    """The schemas of an operator: a function of torch, torch.ops.aten.add, or one overload of it."""
    if not isinstance(op, _OPERATORS):
        return None
    try:
        texts = getattr(op, "_call", op)._schemas
    except NotImplementedError:  # A name without an operator.
        return None
    return [schema for schema in map(Schema, texts) if schema.can_be_signature] or None


def overload_packet(target):
    """torch.ops.aten.add of torch.ops.aten.add.Tensor; any other target is itself."""
    packet = getattr(target, "overloadpacket", None)
    if packet is not None or not isinstance(target, _OPERATORS[0]):
        return target if packet is None else packet
    schemas = _schemas_of(target)
    namespace, _, name = schemas[0].name.partition("::") if schemas else ("", "", "")
    return getattr(getattr(torch.ops, namespace), name) if schemas else target


@compatibility(is_backward_compatible=False)
def get_signature_for_torch_op(op, return_schemas=False):
    """A signature for each overload of the operator, `self` named `input` as in calls; None if it is none.
    With `return_schemas` also the schemas, in the same order."""
    schemas = _schemas_of(op)
    signatures = [schema.signature() for schema in schemas] if schemas else None
    return (signatures, schemas) if return_schemas else signatures


def _binds(signature, args, kwargs):
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


@compatibility(is_backward_compatible=False)
def check_for_mutable_operation(target, args, kwargs):
    """RuntimeError if the call can only be one of an operator that changes its arguments."""
    signatures, schemas = get_signature_for_torch_op(target, return_schemas=True)
    possible = [schema for one, schema in zip(signatures or (), schemas or ()) if _binds(one, args, kwargs)]
    if len(possible) == 1 and possible[0].is_mutable:
        raise RuntimeError(
            "Tried to trace mutable operation %s: a graph is a functional program, in which no value changes after "
            "it was computed" % possible[0]
        )


# -- Types of arguments


@compatibility(is_backward_compatible=False)
def create_type_hint(x):
    """The types of the items of a list or tuple as one type: List[int] for [int, int]. A type is itself."""
    if not isinstance(x, (list, tuple)):
        return x
    item = Any
    try:
        for base in x:
            if all(issubclass(other, base) for other in x):
                item = base
    except TypeError:
        warnings.warn("%s are not all classes, which a type hint is made of" % (x,))
        return x
    return List[item] if isinstance(x, list) else Tuple[item, ...]


@compatibility(is_backward_compatible=False)
def type_matches(signature_type, argument_type):
    """Whether a parameter of the first type takes an argument of the second."""
    if signature_type is argument_type:
        return True
    origin = getattr(signature_type, "__origin__", signature_type)
    if origin is typing.Union and signature_type != argument_type:
        return any(type_matches(inner, argument_type) for inner in signature_type.__args__)
    if origin is list:
        return _is_list_of(signature_type.__args__[0], argument_type)
    if signature_type is int and argument_type is torch.dtype:
        return True  # Operators take dtypes as numbers.
    if signature_type is numbers.Number and argument_type in (int, float):
        return True
    return inspect.isclass(argument_type) and inspect.isclass(signature_type) and issubclass(argument_type, signature_type)


def _is_list_of(item, argument_type):
    if item is int and argument_type is int:
        return True  # One number stands for a list of it.
    if not inspect.isclass(item):
        warnings.warn("a list of %s is not looked into" % (item,))
        return False
    origin = getattr(argument_type, "__origin__", None)
    if origin not in (list, tuple):
        return False
    inner = [one for one in argument_type.__args__ if one is not ... and one != ()]
    return all(inspect.isclass(one) and issubclass(one, item) for one in inner)


# -- Calls in one form


@compatibility(is_backward_compatible=False)
def normalize_function(target, args, kwargs=None, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
    """The arguments of a call by the parameters of the function, defaults filled in: positional ones stay
    where they are, or with `normalize_to_only_use_kwargs` all get their names. None where that cannot be
    done. Types tell overloads apart that take as many arguments."""
    kwargs = kwargs or {}
    if not isinstance(target, _OPERATORS):
        signature = _python_signature(target)
        return signature and _normalized(signature, args, kwargs, normalize_to_only_use_kwargs)
    possible = [one for one in get_signature_for_torch_op(target) or () if _binds(one, args, kwargs)]
    if len(possible) > 1:
        if arg_types is None and kwarg_types is None:
            raise RuntimeError(
                "the arguments fit several overloads of %s; their types (arg_types, kwarg_types) tell which:\n%s"
                % (torch.typename(target), "\n".join(map(str, possible)))
            )
        possible = [one for one in possible if _types_fit(one, arg_types or (), kwarg_types or {})][:1]
    return _normalized(possible[0], args, kwargs, normalize_to_only_use_kwargs) if possible else None


def _python_signature(target):
    """The signature of a Python function; None if it depends on a flag among the arguments."""
    ways = boolean_dispatched.get(target)
    if ways is None:
        try:
            return inspect.signature(inspect.unwrap(target))
        except ValueError:  # A function of C that does not tell.
            return None
    one, other = (inspect.signature(ways[key]) for key in ("if_true", "if_false"))
    return one if one.parameters == other.parameters else None


def _types_fit(signature, arg_types, kwarg_types):
    try:
        bound = signature.bind(*arg_types, **kwarg_types)
    except TypeError:
        return False
    return all(type_matches(signature.parameters[name].annotation, kind) for name, kind in bound.arguments.items())


@compatibility(is_backward_compatible=False)
def normalize_module(root, target, args, kwargs=None, normalize_to_only_use_kwargs=False):
    """As normalize_function, of a call of the submodule at the path `target`. None unless the module's
    class is one of torch.nn."""
    try:
        module = root.get_submodule(target)
    except AttributeError:
        raise RuntimeError("there is no module %s in the root to normalize a call of" % target) from None
    if getattr(torch.nn, type(module).__name__, None) is not type(module):
        return None
    signature = inspect.signature(inspect.unwrap(module.forward))
    return _normalized(signature, args, kwargs or {}, normalize_to_only_use_kwargs)


def _normalized(signature, args, kwargs, only_kwargs):
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if any(parameter.kind not in plain for parameter in signature.parameters.values()):
        return None
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    count = 0 if only_kwargs else len(args)
    items = list(bound.arguments.items())
    return ArgsKwargsPair(tuple(value for _, value in items[:count]), dict(items[count:]))
