"""Schemas of operators as Python signatures."""

import enum
import inspect
import keyword
import numbers
import re
import typing

from .._package import torch

# Python's types for those of schemas; what is a number in a call of an operator is an int here.
_TYPES = {
    "Tensor": torch.Tensor, "Scalar": numbers.Number, "number": numbers.Number, "int": int, "float": float,
    "bool": bool, "str": str, "complex": complex, "SymInt": int, "ScalarType": int, "MemoryFormat": int, "Layout": int,
    "Device": torch.device, "Dimname": str, "NoneType": type(None), "AnyEnumType": enum.Enum,
}  # fmt: skip
_WORDS = {
    "None": None, "True": True, "False": False, "Mean": 1, "Sum": 2, "contiguous_format": 0, "preserve_format": 1,
    "strided": 0, "float": 6, "long": 4,
}  # fmt: skip


def _split(text):
    """The parts of a text between commas, those in brackets left alone."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return parts + [current.strip()] if current.strip() else parts


def _type(text):
    text = re.sub(r"\([a-z0-9!|* >-]*\)", "", text).strip()  # What an argument may share its memory with.
    if text.endswith("?"):
        return typing.Optional[_type(text[:-1])]
    found = re.fullmatch(r"(.*)\[\d*\]", text)
    if found:
        return typing.List[_type(found[1])]
    if text.startswith("(") and text.endswith(")"):
        return typing.Tuple[tuple(_type(part.split(" ")[0]) for part in _split(text[1:-1]))]
    return _TYPES.get(text, typing.Any)


def _value(text, kind):
    """The default value that a schema has for a parameter."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "\"'":
        return text[1:-1]
    if text[0] == "[":
        return [_value(part, kind) for part in _split(text[1:-1])]
    try:
        return int(text)
    except ValueError:
        return float(text)


class Schema:
    """One overload of an operator: "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"."""

    def __init__(self, text):
        self.text = text
        head, rest = text.split("(", 1)
        self.name, _, self.overload_name = head.partition(".")
        inside, _, self.result = rest.rpartition(" -> ")
        self.parameters = inside.rpartition(")")[0]

    @property
    def is_mutable(self):
        """Whether it changes an argument."""
        return "!" in self.parameters

    @property
    def can_be_signature(self):
        """Not where a parameter has one of Python's own words for its name."""
        return not any(keyword.iskeyword(part.partition("=")[0].split(" ")[-1]) for part in _split(self.parameters))

    def signature(self):
        kind, parameters = inspect.Parameter.POSITIONAL_OR_KEYWORD, []
        for part in _split(self.parameters):
            if part == "*":
                kind = inspect.Parameter.KEYWORD_ONLY
                continue
            typed, _, name = part.rpartition(" ")
            if "=" in part:
                typed, name, default = re.fullmatch(r"(.*?) (\w+)=(.*)", part).groups()
            annotation = _type(typed)
            value = _value(default, annotation) if "=" in part else inspect.Parameter.empty
            name = "input" if name == "self" else name
            parameters.append(inspect.Parameter(name, kind, default=value, annotation=annotation))
        return inspect.Signature(_defaults_last(parameters), return_annotation=_type(self.result))

    def __str__(self):
        return self.text


def _defaults_last(parameters):
    """Parameters without a default that stand behind others that have one are passed by name."""
    seen, made = False, []
    for parameter in parameters:
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            seen = seen or parameter.default is not parameter.empty
            if seen and parameter.default is parameter.empty:
                parameter = parameter.replace(default=None)
        made.append(parameter)
    return made
