"""torch.jit.CompilationUnit: functions compiled from a text."""

import ast
import sys
import textwrap

from assay import _engine as _C
from .._jit_internal import lookup, missing
from ._names import Names, describe
from ._script import ScriptFunction


class _UnitNames(Names):
    """What a unit's function sees: the unit's functions, then what its maker saw."""

    def __init__(self, names, unit):
        super().__init__(names)
        self.unit = unit

    def value(self, name):
        function = self.unit._function(name)
        return super().value(name) if function is None else describe(function)


class CompilationUnit:
    """The functions of a text, which may call each other and use the names that its maker sees."""

    def __init__(self, lang=None, _frames_up=0):
        self._functions = {}
        self._waiting = {}
        if lang is not None:
            self.define(lang, _frames_up=_frames_up + 1)

    def define(self, lang, rcb=None, _frames_up=0):
        frame = sys._getframe(_frames_up + 1)
        names = _Asked(rcb) if rcb else {**frame.f_globals, **frame.f_locals}
        text = textwrap.dedent(lang)
        lines = text.split("\n")
        for statement in ast.parse(text).body:
            if not isinstance(statement, ast.FunctionDef):
                raise RuntimeError(f"a compilation unit holds functions, not: {lines[statement.lineno - 1]}")
            first = min([statement.lineno] + [each.lineno for each in statement.decorator_list])
            piece = "\n".join(lines[first - 1:statement.end_lineno]) + "\n"
            self._waiting[statement.name] = (piece, first, _defaults(statement, names), names)
        for name in list(self._waiting):
            self._function(name)

    def _function(self, name):
        """A function by its name, compiled if it was not yet; None if there is none."""
        if name in self._waiting:
            piece, first, defaults, names = self._waiting.pop(name)
            compiled = _C.script_function(name, (piece, "<string>", first), _UnitNames(names, self), defaults)
            self._functions[name] = ScriptFunction(compiled)
        return self._functions.get(name)

    def find_function(self, name):
        return self._functions.get(name)

    def get_functions(self):
        return list(self._functions.values())

    def set_optimized(self, should_optimize):
        """assay runs every program the same way; here for programs that say how they want it."""

    def __getattr__(self, name):
        if name in ("_functions", "_waiting") or name not in self._functions:
            raise AttributeError(f"the compilation unit has no function '{name}'")
        return self._functions[name]


class _Asked:
    """Names that a function knows, as a mapping."""

    def __init__(self, ask):
        self.ask = ask

    def __contains__(self, name):
        return self.ask(name) is not None

    def __getitem__(self, name):
        return self.ask(name)


def _defaults(function, names):
    """The values of a definition's default arguments, by name."""
    arguments = function.args
    positional = arguments.posonlyargs + arguments.args
    pairs = list(zip(positional[len(positional) - len(arguments.defaults):], arguments.defaults))
    pairs += [pair for pair in zip(arguments.kwonlyargs, arguments.kw_defaults) if pair[1] is not None]
    return {argument.arg: _value_of(default, names) for argument, default in pairs}


def _value_of(expression, names):
    known = {}
    for node in ast.walk(expression):
        if isinstance(node, ast.Name):
            found = lookup(names, node.id)
            if found is not missing:
                known[node.id] = found
    return eval(compile(ast.Expression(expression), "<string>", "eval"), known)
