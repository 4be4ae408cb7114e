"""Functions of modules, and those that stand in their place while a trace is recorded. A campaign traces often: they
are made once, put in place and back by one call each, and looked for again only where a module has changed."""

import os
import sys

from assay import _engine as _C

_PYTHON = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


class Functions:
    """Functions of a module by name, and what stands in for each: `make(called, function)`, with
    `called` as in "random.gauss"."""

    def __init__(self, module, names, make):
        self.namespace = vars(module)
        self._prefix, self._names, self._make = module.__name__, list(names), make
        self.own = {}

    def look(self):
        """Whether the program has put others there since the last look."""
        now = {name: self.namespace[name] for name in self._names if name in self.namespace}
        if now == self.own:
            return False
        self.own = now
        self.stand_ins = {name: self._make(f"{self._prefix}.{name}", function) for name, function in now.items()}
        return True


class StandIns:
    """Of all functions that `find()` gives for the modules that are imported by now, in their own modules and
    wherever a module of the program has one by a name of its own."""

    def __init__(self, find):
        self._find = find
        self._foreign = {}  # Modules by name: of Python's own, and of this package.
        self._functions = []
        self._stand_ins = {}  # Of each function, by its id.
        self._namespaces = []  # That of sys.modules, those of the functions, and of the program's modules.
        self._exchange = None

    def put(self):
        changed = self._exchange.put() if self._exchange else [0]
        while changed is not None:
            own = [self._functions[place - 1] for place in changed if 0 < place <= len(self._functions)]
            others = [functions.look() for functions in own]
            if 0 in changed or any(others):
                changed = self._find_namespaces()
            for place in changed:
                self._exchange.hold(place, self._exchanged_at(place))
            changed = self._exchange.put()

    def put_back(self):
        self._exchange.put_back()

    def _find_namespaces(self):
        self._functions = self._find()
        for functions in self._functions:
            functions.look()
        self._stand_ins = {id(own): functions.stand_ins[name]
                           for functions in self._functions for name, own in functions.own.items()}
        of_program = {id(module): vars(module) for name, module in list(sys.modules.items())
                      if not self._is_foreign(name, module)}  # Some have several names.
        self._namespaces = [sys.modules, *(functions.namespace for functions in self._functions), *of_program.values()]
        self._exchange = _C.Exchange(self._namespaces)
        return range(len(self._namespaces))

    def _exchanged_at(self, place):
        if place == 0:
            return {}
        if place <= len(self._functions):
            return self._functions[place - 1].stand_ins
        known = self._stand_ins
        return {name: known[id(held)] for name, held in list(self._namespaces[place].items()) if id(held) in known}

    def _is_foreign(self, name, module):
        known = self._foreign.get(name)
        if known is None or known[0] is not module:
            file = getattr(module, "__file__", None)
            of_python = not isinstance(file, str) or (
                file.startswith(_PYTHON) and not any(folder in file for folder in _INSTALLED))
            known = self._foreign[name] = (module, of_python or name.split(".")[0] in ("assay", "torch", "numpy"))
        return known[1]
