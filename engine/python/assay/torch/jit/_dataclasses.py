"""The methods that `@dataclass` writes have no source to compile: here they are written once more, as texts."""

import dataclasses
import inspect

from . import _above
from .annotations import annotation_text

_ORDER = {"__lt__": ("<", False), "__le__": ("<", True), "__gt__": (">", False), "__ge__": (">", True)}


def _is_generated(cls, name):
    function = inspect.unwrap(vars(cls).get(name) or (lambda: None))
    code = getattr(function, "__code__", None)
    return name in vars(cls) and code is not None and code.co_filename == "<string>"


def _fields(cls):
    """The fields in the order of __init__'s parameters, those for __post_init__ alone included."""
    return [field for field in cls.__dataclass_fields__.values() if field._field_type is not dataclasses._FIELD_CLASSVAR]


def _only_for_init(field):
    return field._field_type is dataclasses._FIELD_INITVAR


def _type_text(field):
    return annotation_text(field.type.type if isinstance(field.type, dataclasses.InitVar) else field.type)


def _init(cls):
    """(text, default values) of __init__."""
    parameters, lines, later, defaults = [], [], [], {}
    for field in _fields(cls):
        if field.default_factory is not dataclasses.MISSING:
            raise NotImplementedError(f"the field '{field.name}' of the dataclass '{cls.__name__}' has a "
                                      "default_factory, which cannot be compiled: give it a plain default value")
        if not field.init:
            continue
        parameter = f"{field.name}: {_type_text(field)}"
        if field.default is not dataclasses.MISSING:
            defaults[field.name] = field.default
            parameter += " = ..."  # The value itself is told beside the text.
        parameters.append(parameter)
        if _only_for_init(field):
            later.append(field.name)
        else:
            lines.append(f"self.{field.name} = {field.name}")
    if hasattr(cls, "__post_init__"):
        lines.append(f"self.__post_init__({', '.join(later)})")
    body = "\n".join("    " + line for line in lines or ["pass"])
    return f"def __init__(self, {', '.join(parameters)}) -> None:\n{body}\n", defaults


def _compared(cls):
    return [field for field in dataclasses.fields(cls) if field.compare]


def _method(cls, name, lines, result):
    body = "\n".join("    " + line for line in lines + [f"return {result}"])
    return f"def {name}(self, other: {_own_name(cls)}) -> bool:\n{body}\n"


def _own_name(cls):
    return _above.class_name(cls, compiled_only=True)


def _equality(cls):
    lines = []
    for i, field in enumerate(_compared(cls)):
        a, b = f"a{i}", f"b{i}"
        lines += [f"{a} = self.{field.name}", f"{b} = other.{field.name}"]
        if _type_text(field).startswith("Optional["):
            lines += [f"if {a} is None or {b} is None:", f"    if {a} is not None or {b} is not None:",
                      "        return False", f"elif not ({a} == {b}):", "    return False"]
        else:
            lines += [f"if not ({a} == {b}):", "    return False"]
    return _method(cls, "__eq__", lines, True)


def _comparison(cls, name):
    """By the first field that differs."""
    sign, when_equal = _ORDER[name]
    lines = []
    for i, field in enumerate(_compared(cls)):
        a, b = f"a{i}", f"b{i}"
        lines += [f"{a} = self.{field.name}", f"{b} = other.{field.name}"]
        indent = ""
        if _type_text(field).startswith("Optional["):
            lines.append(f"if {a} is not None and {b} is not None:")
            indent = "    "
        lines += [f"{indent}if {a} {sign} {b}:", f"{indent}    return True", f"{indent}elif {b} {sign} {a}:",
                  f"{indent}    return False"]
    return _method(cls, name, lines, when_equal)


def is_written_out(cls, name):
    """Whether a method of the dataclass has a source of its own."""
    return not _is_generated(cls, name) and name != "__repr__"


def generated_methods(cls):
    """(text, default values) of what `@dataclass` wrote for the class."""
    if _is_generated(cls, "__init__"):
        yield _init(cls)
    if _is_generated(cls, "__eq__"):
        yield _equality(cls), {}
    for name in _ORDER:
        if _is_generated(cls, name):
            yield _comparison(cls, name), {}
