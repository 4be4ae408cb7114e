"""What is the same for all modules of a class, and for all shapes of one: it is found out once for each module that
is compiled with its submodules. In between, a program may change its classes."""

import inspect
import types

from .. import _jit_internal
from .._jit_internal import FunctionModifiers
from ..nn import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from . import annotations

_known = {}  # Class -> its facts.
_marked = {}  # Class -> those of the names in its own body that mean something to the compiler.
_pieces = {}  # Function -> its text.


def forget():
    """A module is compiled: its classes may be others than they were."""
    _known.clear()
    _marked.clear()
    _pieces.clear()


def facts_of(cls):
    return _known.get(cls) or _known.setdefault(cls, ClassFacts(cls))


def known_piece(function, piece_of):
    return _pieces.get(function) or _pieces.setdefault(function, piece_of(function))


def declared(module, name):
    """What a module, or its class, says under a name that few have: asking the module itself is slow."""
    return module.__dict__.get(name) or getattr(type(module), name, ())


def _evaluated(hint, scope):
    """Annotations are texts under `from __future__ import annotations`."""
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, dict(scope))
    except Exception:
        return hint


def hints_of(cls):
    """The annotations of the nearest class that has any, as when an object is asked for `__annotations__`."""
    cls = next((base for base in cls.__mro__ if vars(base).get("__annotations__")), cls)
    scope = vars(inspect.sys.modules.get(cls.__module__, types))
    return {name: _evaluated(hint, scope) for name, hint in inspect.get_annotations(cls).items()}


def _kind(cls):
    """What iterating over its modules means."""
    if issubclass(cls, ModuleDict):
        return "dict"
    if issubclass(cls, (ModuleList, Sequential)):
        return "list"
    if issubclass(cls, ParameterList):
        return "parameters"
    if issubclass(cls, ParameterDict):
        return "parameter dict"
    return ""


def _find_marked(cls):
    """Properties, and functions with a mark or another declaration, in the class's own body."""
    return {name: item for name, item in vars(cls).items()
            if isinstance(item, property) or type(item) is types.FunctionType and (
                hasattr(item, "_torchscript_modifier") or _jit_internal.may_be_overloaded(item))}


def _marked_of(cls):
    """The same of the class with all that it inherits: few of the many functions that every module has."""
    members = {}
    for base in reversed(cls.__mro__):
        if members:
            own = vars(base)
            members = {name: item for name, item in members.items() if name not in own}
        found = _marked.get(base)
        if found is None:
            found = _marked[base] = _find_marked(base)
        members.update(found)
    return members


class ClassFacts:
    """A class of modules as the compiler sees it."""

    def __init__(self, cls):
        self.kind = _kind(cls)
        self.hints = hints_of(cls)
        self.final = [name for name, hint in self.hints.items() if _jit_internal.is_final(hint)]
        self.exported = []  # (name, function) of each mark, by name.
        self.left_out = []  # Unused or ignored.
        self.copied = []
        self.overloads = {}  # name -> [(name of the overload, declaration)]
        self._properties = []
        self._texts = {}
        for name, item in _marked_of(cls).items():
            if isinstance(item, property):
                self._properties.append((name, item))
            else:
                self._add_function(cls, name, item)
        for found in (self.exported, self.left_out, self.copied, self._properties):
            found.sort(key=lambda pair: pair[0])
        self.overloads = dict(sorted(self.overloads.items()))

    def _add_function(self, cls, name, function):
        modifier = getattr(function, "_torchscript_modifier", None)
        if modifier is FunctionModifiers.EXPORT:
            self.exported.append((name, function))
        elif modifier is FunctionModifiers.COPY_TO_SCRIPT_WRAPPER:
            self.copied.append((name, function))
        elif modifier is FunctionModifiers.UNUSED or modifier is FunctionModifiers.IGNORE:
            self.left_out.append((name, function))
        declarations = _jit_internal._get_overloaded_methods(function, cls)
        if declarations:
            if function in declarations:
                raise RuntimeError(f"method '{name}' has overloads, but no body after them")
            self.overloads[name] = [(f"{name}__{i}", each) for i, each in enumerate(declarations)]

    def type_of(self, name):
        """The type that the class declares of an attribute, as a text."""
        text = self._texts.get(name)
        if text is None:
            text = self._texts[name] = annotations.annotation_text(self.hints[name])
        return text

    def properties(self, module):
        """(name, property) of those that are compiled."""
        if not self._properties:
            return []
        skipped = {*declared(module, "__jit_unused_properties__"), *declared(module, "__jit_ignored_attributes__")}
        return [(name, item) for name, item in self._properties
                if name not in skipped and item.fget is not None and not _jit_internal.should_drop(item.fget)]
