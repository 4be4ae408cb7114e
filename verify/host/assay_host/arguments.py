"""What tracing takes of a call's arguments, and the rest: fixed as a user's wrapper would fix it.

Tracing takes tensors by position, and lists, tuples and dicts of them. Numbers, texts and None it does
not take, nor keywords, named tuples and dataclasses; of those that hold tensors it is given the tensors
alone. A path says where in a call a value is: first a position or a keyword, then indices, keys and
names of fields.
"""

import copy
import inspect

import torch


def is_record(value):
    """A named tuple or a dataclass."""
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    return named or (hasattr(value, "__dataclass_fields__") and not isinstance(value, type))


def fields_of(record):
    return list(record._fields if isinstance(record, tuple) else record.__dataclass_fields__)


def form(value):
    """How tracing sees a value; None where it does not take it. It takes lists and dicts whose members
    have one form, none that are empty."""
    if isinstance(value, torch.Tensor):
        return "tensor"
    if type(value) is tuple:
        forms = [form(item) for item in value]
        return ("tuple",) + tuple(forms) if forms and None not in forms else None
    if type(value) is list or (type(value) is dict and all(isinstance(key, str) for key in value)):
        forms = set(form(item) for item in (value.values() if type(value) is dict else value))
        return (type(value).__name__,) + tuple(forms) if len(forms) == 1 and None not in forms else None
    return None


def items_of(value):
    """[(step, item)] of a container, [] of anything else."""
    if is_record(value):
        return [(name, getattr(value, name, None)) for name in fields_of(value)]
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, (list, tuple)) else []


def divide(args, kwargs):
    """(inputs, absent): paths of what tracing takes, and of what is None now and may be more later."""
    inputs, absent = [], []

    def walk(path, value):
        if form(value) is not None:
            inputs.append(path)
        elif value is None:
            absent.append(path)
        for step, item in items_of(value) if form(value) is None else []:
            walk(path + [step], item)

    for root, value in list(enumerate(args)) + list(kwargs.items()):
        walk([root], value)
    return inputs, absent


def at(args, kwargs, path):
    value = (args if isinstance(path[0], int) else kwargs)[path[0]]
    for step in path[1:]:
        value = getattr(value, step) if is_record(value) else value[step]
    return value


def chosen(args, kwargs, taken):
    """The positional arguments of an export that takes some of a call's. What was None when it was made
    has no place there: the export itself may say so."""
    later = [at(args, kwargs, path) for path in taken["absent"]]
    return tuple([at(args, kwargs, path) for path in taken["inputs"]] + [v for v in later if v is not None])


def replaced(value, steps, item):
    """A copy of the value with an item in another place; what it holds is shared."""
    if not steps:
        return item
    step, rest = steps[0], steps[1:]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return value._replace(**{step: replaced(getattr(value, step), rest, item)})
    if isinstance(value, tuple):
        return value[:step] + (replaced(value[step], rest, item),) + value[step + 1:]
    changed = copy.copy(value)
    if is_record(value):  # A dataclass may be frozen.
        object.__setattr__(changed, step, replaced(getattr(value, step), rest, item))
    else:
        changed[step] = replaced(value[step], rest, item)
    return changed


def parameter_names(function):
    try:
        return list(inspect.signature(function).parameters)
    except (ValueError, TypeError):
        return []


def name_of(path, names):
    """What an input of the export is called: "x", "batch_image"."""
    root = path[0]
    if isinstance(root, int):
        root = names[root] if root < len(names) else "x%d" % root
    name = "_".join([root] + [str(step) for step in path[1:]])
    return name if name.isidentifier() else "".join(c if c.isalnum() else "_" for c in "x_" + name)


class Fixed:
    """A function of what tracing takes of a call; the rest of the call stays as it is."""

    def __init__(self, function, args, kwargs, inputs):
        self._function, self._args, self._kwargs, self._inputs = function, args, kwargs, inputs
        names, parameters = [], parameter_names(function)
        for path in inputs:
            name = name_of(path, parameters)
            names.append(name if name not in names else "%s_%d" % (name, len(names)))
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
        for attribute in ("__name__", "__qualname__", "__module__"):
            setattr(self, attribute, getattr(function, attribute, "call"))

    def __call__(self, *tensors):
        args, kwargs = self._args, self._kwargs
        for path, tensor in zip(self._inputs, tensors):
            if isinstance(path[0], int):
                args = replaced(args, path, tensor)
            else:
                kwargs = replaced(kwargs, path, tensor)
        return self._function(*args, **kwargs)


def check_fits(function, args, kwargs):
    """TypeError, with the parameters, for a call that the function does not take."""
    try:
        signature = inspect.signature(function)
        signature.bind(*args, **kwargs)
    except ValueError:
        pass  # Nothing is known of its parameters.
    except TypeError as error:
        raise TypeError("%s: the parameters are %s" % (error, signature))


def keeps_names(function):
    """Whether tracing gives the inputs of the export the names of the parameters."""
    kinds = set(p.kind for p in inspect.signature(function).parameters.values())
    return kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD}


def positional(function, args, kwargs):
    """The arguments as tracing takes them as they are; None where it does not."""
    if kwargs:
        bound = inspect.signature(function).bind(*args, **kwargs)
        if bound.kwargs or not keeps_names(function):
            return None
        args = bound.args
    return args if all(form(value) is not None for value in args) else None
