"""What a trace depends on beside numbers of tensors, and does not show: draws of Python's, NumPy's and the
system's generators, clocks, memory that is handed out to NumPy, and plain attributes of modules that change."""

import datetime
import os
import random
import sys
import time

from assay import _engine as _C
from .._tensor import Tensor
from ..nn import Module
from ..nn.modules import module as _module

_OF_A_GENERATOR_ITSELF = ("seed", "getstate", "setstate", "get_state", "set_state")
_OF_THE_SYSTEM = {"os": ("urandom", "getrandom"), "uuid": ("uuid1", "uuid4"),
                  "secrets": ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe")}
_DATES = {datetime.datetime: ("now", "today", "utcnow"), datetime.date: ("today",)}
_CLOCKS = ("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time")


def _short(value):
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:197]}..."


class _Stage:
    """Who is told, and whether a function that tells is running: what that one calls in turn is not told."""

    tracer = None
    busy = False


def _telling(original, tell):
    """The function, which now tells the tracer at work of its calls."""
    def listening(*args, **kwargs):
        if _Stage.busy or _Stage.tracer is None:
            return original(*args, **kwargs)
        _Stage.busy = True
        try:
            value = original(*args, **kwargs)
        finally:
            _Stage.busy = False
        tell(_Stage.tracer, args, value)
        return value

    return listening


def _draw(called):
    return lambda tracer, args, value: tracer.escape(
        "random", f"{called}({', '.join(map(_short, args))})", _short(value), True)


def _clock(called):
    return lambda tracer, args, value: tracer.escape("time", f"{called}()", _short(value), True)


def _date_that_tells(own, clocks):
    """A date's class that tells of its clocks, and is the class itself in all else."""
    def told(name):
        return _telling(getattr(own, name), _clock(f"datetime.{own.__name__}.{name}"))

    class Telling(type):
        def __call__(cls, *args, **kwargs):
            return own(*args, **kwargs)

        def __instancecheck__(cls, instance):
            return isinstance(instance, own)

        def __subclasscheck__(cls, other):
            return issubclass(other, own)

    return Telling(own.__name__, (own,), {name: staticmethod(told(name)) for name in clocks})


class _Exchange:
    """Functions of a Python module, and those that tell, which stand in their place while a trace is recorded.

    They are made once, since a campaign traces often, and anew where the program has put functions of its own
    in between."""

    def __init__(self, module, names, tell):
        self.names, self._tell = vars(module), tell
        self._prefix = module.__name__
        self._hear({name: self.names[name] for name in names})

    def _hear(self, functions):
        self.own = functions
        self.telling = {name: self._tell(f"{self._prefix}.{name}", function)
                        for name, function in functions.items()}
        self.stand_ins = {id(function): self.telling[name] for name, function in functions.items()}

    def look(self):
        now = {name: self.names[name] for name in self.own if name in self.names}
        if now != self.own:
            self._hear(now)


def _draws(module, generator):
    """Names of what draws from the one generator that a module has."""
    return [name for name in vars(module) if not name.startswith("_") and name not in _OF_A_GENERATOR_ITSELF
            and callable(getattr(generator, name, None))]


def _telling_draw(called, function):
    return _telling(function, _draw(called))


def _telling_clock(called, function):
    return _telling(function, _clock(called))


class _Exchanges:
    """All of them, of the modules that the program has imported by now, put in place and back by one call each."""

    _known = {}
    _loaded = None  # The version of sys.modules at which they were looked for.
    _names, _own, _telling = [], [], []  # Of each.
    _versions = b""  # Of the modules, with which nothing was exchanged since.
    stand_ins = []  # Of each; another list whenever one of them changes.

    @classmethod
    def _find(cls):
        known = cls._known
        if not known:
            known["time"] = _Exchange(time, _CLOCKS, _telling_clock)
            known["random"] = _Exchange(random, _draws(random, random.Random), _telling_draw)
            known["datetime"] = _Exchange(datetime, [own.__name__ for own in _DATES],
                                          lambda _, own: _date_that_tells(own, _DATES[own]))
        numpy_random = sys.modules.get("numpy.random")
        if numpy_random is not None and "numpy" not in known:
            known["numpy"] = _Exchange(numpy_random, _draws(numpy_random, numpy_random.RandomState), _telling_draw)
        for name, functions in _OF_THE_SYSTEM.items():
            module = sys.modules.get(name)
            if module is not None and name not in known:
                known[name] = _Exchange(module, [f for f in functions if hasattr(module, f)], _telling_draw)

    @classmethod
    def put(cls, loaded):
        if loaded != cls._loaded:
            cls._loaded = loaded
            cls._find()
            cls._versions = b""
        if _C.dict_versions(cls._names) != cls._versions or not cls._names:
            every = list(cls._known.values())
            for exchange in every:
                exchange.look()
            cls._names, cls._own = [each.names for each in every], [each.own for each in every]
            cls._telling, cls.stand_ins = [each.telling for each in every], [each.stand_ins for each in every]
        _C.update_dicts(cls._names, cls._telling)

    @classmethod
    def put_back(cls):
        cls._versions = _C.update_dicts(cls._names, cls._own)


class _ByName:
    """The same functions where the program's modules have them by a name of their own."""

    _PYTHON = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
    _INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
    _foreign = {}  # Modules by name: of Python's own, and of this package.

    @classmethod
    def _is_foreign(cls, name, module):
        known = cls._foreign.get(name)
        if known is None or known[0] is not module:
            file = getattr(module, "__file__", None)
            of_python = not isinstance(file, str) or (
                file.startswith(cls._PYTHON) and not any(folder in file for folder in cls._INSTALLED))
            known = cls._foreign[name] = (module, of_python or name.split(".")[0] in ("assay", "torch", "numpy"))
        return known[1]

    _loaded = None  # The version of sys.modules of which the following are.
    _namespaces = []  # Of the program's modules,
    _versions = bytearray()  # at which nothing but `_found` of them was one of the functions.
    _found = []  # {name: function} of each.
    _stand_ins = []  # Of all exchanges, when they were looked for.
    _exchanged = []  # (place, namespace, stand-ins by name, functions by name) where there are some.

    @classmethod
    def _look(cls, loaded, all_stand_ins):
        """A campaign traces often: it is looked only where something changed."""
        if loaded != cls._loaded:
            cls._loaded = loaded
            cls._namespaces = [vars(module) for name, module in list(sys.modules.items())
                               if not cls._is_foreign(name, module)]
            cls._stand_ins = []
        if all_stand_ins is not cls._stand_ins:
            cls._stand_ins = all_stand_ins
            cls._versions = bytearray(8 * len(cls._namespaces))
            cls._found, cls._exchanged = [{}] * len(cls._namespaces), []
        wanted, news = None, False
        for place in _C.changed_dicts(cls._namespaces, cls._versions):
            wanted = wanted or {function for some in all_stand_ins for function in some}
            found = {name: held for name, held in list(cls._namespaces[place].items()) if id(held) in wanted}
            if found != cls._found[place]:
                cls._found[place], news = found, True
        if news:
            cls._exchanged = [
                (place, names, {name: next(some[id(own)] for some in all_stand_ins if id(own) in some)
                                for name, own in found.items()}, found)
                for place, (names, found) in enumerate(zip(cls._namespaces, cls._found)) if found]

    def put(self, loaded, all_stand_ins):
        self._look(loaded, all_stand_ins)
        self._of, self._put = self._namespaces, self._exchanged
        if not self._put:
            return
        for _, names, stand_ins, _ in self._put:
            names.update(stand_ins)
        self._at = _C.dict_versions([names for _, names, _, _ in self._put])

    def put_back(self):
        if not self._put:
            return
        namespaces = [names for _, names, _, _ in self._put]
        now = _C.dict_versions(namespaces)
        for _, names, stand_ins, found in self._put:
            for name, own in found.items():
                if names.get(name) is stand_ins[name]:  # Else the program has put something else there.
                    names[name] = own
        if self._of is not self._namespaces:
            return
        # What nobody else has changed meanwhile needs no second look.
        back = _C.dict_versions(namespaces)
        for k, (place, _, _, _) in enumerate(self._put):
            if _version(now, k) == _version(self._at, k):
                self._versions[8 * place:8 * place + 8] = _version(back, k)


def _version(versions, place):
    """Of one of the dicts that were asked for; empty where none was."""
    return versions[8 * place:8 * place + 8]


def _same(before, now):
    held, items = before
    if held is not now:
        return type(held) is type(now) and isinstance(held, (int, float, str, bool)) and held == now
    if items is None:
        return True
    present = dict(now) if isinstance(now, dict) else list(now)
    if len(present) != len(items):
        return False
    pairs = zip(items.items(), present.items()) if isinstance(items, dict) else zip(items, present)
    return all(a is b or (isinstance(a, tuple) and a[1] is b[1]) for a, b in pairs)


class _Attributes:
    """Plain attributes of modules: what is neither a parameter, a buffer nor a submodule. `paths` has the path of each
    (`__module.layer1`)."""

    def __init__(self, paths, tracer):
        self._tracer = tracer
        self._paths, self._modules = paths, list(paths)
        self._before = _C.plain_attributes(self._modules, Module)
        self._lines = set()

    def tell_changes(self):
        """Of those that were written to by name the line is told already."""
        for place in _C.changed_modules(self._modules, Module, self._before):
            module, before = self._modules[place], self._before[place]
            for name, (now, _) in _C.plain_attributes([module], Module)[0].items():
                changed = name not in before or not _same(before[name], now)
                if changed and (id(module), name) not in self._lines:
                    self._tell(module, name, now, False)

    def written(self, module, name, value):
        """Hears assignments: `self.count += 1`."""
        if module not in self._paths or isinstance(value, (Module, Tensor)) or name.startswith("_"):
            return
        self._lines.add((id(module), name))
        self._tell(module, name, value, True)

    def _tell(self, module, name, value, placed):
        what = f"self{self._paths[module].removeprefix('__module')}.{name}"
        text = self._tracer.unheard(lambda: _short(value))
        self._tracer.escape("attribute", what, text, placed)


class told:
    """While a trace is recorded: the tracer is told of them."""

    def __init__(self, tracer, paths):
        self._tracer, self._attributes, self._by_name = tracer, _Attributes(paths, tracer), _ByName()

    def __enter__(self):
        loaded = _C.dict_versions([sys.modules])
        _Exchanges.put(loaded)
        self._by_name.put(loaded, _Exchanges.stand_ins)
        _Stage.tracer, _module.written = self._tracer, self._attributes.written

    def __exit__(self, kind, error, traceback):
        try:
            if kind is None:
                self._attributes.tell_changes()
        finally:
            _Stage.tracer = _module.written = None
            self._by_name.put_back()
            _Exchanges.put_back()
