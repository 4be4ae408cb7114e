"""torch.jit.CompilationUnit: functions out of a text."""

from assay import _engine as _C
from ._names import Names, names_of_frame
from ._functions import ScriptFunction
from ._source import piece_of_text


class _NamesAround(Names):
    """The names of the frame that defines a text, and before them those that the text defines."""

    def __init__(self, names):
        super().__init__(names)
        self.own = {}

    def defined(self, name, qualified_name):
        self.own[name] = qualified_name

    def value(self, name):
        return ("function", self.own[name]) if name in self.own else super().value(name)


class _Asked:
    """Names that a function knows, as a mapping."""

    def __init__(self, ask):
        self.ask = ask

    def __contains__(self, name):
        return self.ask(name) is not None

    def __getitem__(self, name):
        return self.ask(name)


class CompilationUnit:
    """The functions of one or more texts, as attributes."""

    def __init__(self, lang=None, _frames_up=0):
        self._functions = {}
        if lang is not None:
            self.define(lang, _frames_up=_frames_up + 1)

    def define(self, lang, rcb=None, _frames_up=0):
        """Compiles all functions of the text, which may call each other."""
        names = _NamesAround(_Asked(rcb) if rcb else names_of_frame(_frames_up + 1).names)
        names.own.update((name, function.qualified_name) for name, function in self._functions.items())
        before = dict(names.own)
        _C.script_source(piece_of_text(lang), names)
        for name, qualified in names.own.items():
            if before.get(name) != qualified:
                self._functions[name] = ScriptFunction(_C.compiled_function(qualified))

    def __getattr__(self, name):
        found = self.__dict__.get("_functions", {}).get(name)
        if found is None:
            raise AttributeError(f"'CompilationUnit' has no attribute '{name}'")
        return found

    def set_optimized(self, should_optimize):
        """assay runs every program the same way; here for programs that say how they want it."""

    def find_function(self, name):
        return self._functions.get(name)

    def get_functions(self):
        return list(self._functions.values())
