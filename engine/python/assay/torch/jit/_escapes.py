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
        self._names, self._tell = vars(module), tell
        self._prefix = module.__name__
        self._hear({name: self._names[name] for name in names})

    def _hear(self, functions):
        self._own = functions
        self._telling = {name: self._tell(f"{self._prefix}.{name}", function)
                         for name, function in functions.items()}

    def stand_ins(self):
        """{id(function): what stands in for it}"""
        return {id(function): self._telling[name] for name, function in self._own.items()}

    def put(self):
        now = {name: self._names[name] for name in self._own if name in self._names}
        if now != self._own:
            self._hear(now)
        self._names.update(self._telling)

    def put_back(self):
        self._names.update(self._own)


def _draws(module, generator):
    """Names of what draws from the one generator that a module has."""
    return [name for name in vars(module) if not name.startswith("_") and name not in _OF_A_GENERATOR_ITSELF
            and callable(getattr(generator, name, None))]


def _telling_draw(called, function):
    return _telling(function, _draw(called))


def _telling_clock(called, function):
    return _telling(function, _clock(called))


_exchanges = {}


def _all_exchanges():
    """Of the modules that the program has imported by now."""
    if not _exchanges:
        _exchanges["time"] = _Exchange(time, _CLOCKS, _telling_clock)
        _exchanges["random"] = _Exchange(random, _draws(random, random.Random), _telling_draw)
        _exchanges["datetime"] = _Exchange(datetime, [own.__name__ for own in _DATES],
                                           lambda _, own: _date_that_tells(own, _DATES[own]))
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None and "numpy" not in _exchanges:
        _exchanges["numpy"] = _Exchange(numpy_random, _draws(numpy_random, numpy_random.RandomState), _telling_draw)
    for name, functions in _OF_THE_SYSTEM.items():
        module = sys.modules.get(name)
        if module is not None and name not in _exchanges:
            _exchanges[name] = _Exchange(module, [f for f in functions if hasattr(module, f)], _telling_draw)
    return list(_exchanges.values())


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

    def put(self, stand_ins):
        self._put = []
        for module_name, module in list(sys.modules.items()):
            if self._is_foreign(module_name, module):
                continue
            for name, held in list(vars(module).items()):
                if id(held) in stand_ins:
                    self._put.append((vars(module), name, held))
                    vars(module)[name] = stand_ins[id(held)]

    def put_back(self):
        for names, name, own in self._put:
            names[name] = own


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
    """Plain attributes of a module and its submodules: what is neither a parameter, a buffer nor a submodule."""

    def __init__(self, module, tracer):
        self._tracer = tracer
        found = list(module.named_modules()) if isinstance(module, Module) else ()
        self._paths = {id(each): path for path, each in found}
        self._before = [(each, _C.plain_attributes(vars(each), Module)) for _, each in found]
        self._lines = set()

    def tell_changes(self):
        """Of those that were written to by name the line is told already."""
        for module, before in self._before:
            if _C.has_attributes(vars(module), Module, before):
                continue
            for name, (now, _) in _C.plain_attributes(vars(module), Module).items():
                changed = name not in before or not _same(before[name], now)
                if changed and (id(module), name) not in self._lines:
                    self._tell(module, name, now, False)

    def written(self, module, name, value):
        """Hears assignments: `self.count += 1`."""
        if id(module) not in self._paths or isinstance(value, (Module, Tensor)) or name.startswith("_"):
            return
        self._lines.add((id(module), name))
        self._tell(module, name, value, True)

    def _tell(self, module, name, value, placed):
        what = ".".join(filter(None, ("self", self._paths[id(module)], name)))
        text = self._tracer.unheard(lambda: _short(value))
        self._tracer.escape("attribute", what, text, placed)


class told:
    """While a trace is recorded: the tracer is told of them."""

    def __init__(self, tracer, module):
        self._tracer, self._attributes, self._by_name = tracer, _Attributes(module, tracer), _ByName()

    def __enter__(self):
        self._exchanges = _all_exchanges()
        stand_ins = {}
        for exchange in self._exchanges:
            exchange.put()
            stand_ins.update(exchange.stand_ins())
        self._by_name.put(stand_ins)
        _Stage.tracer, _module.written = self._tracer, self._attributes.written

    def __exit__(self, kind, error, traceback):
        try:
            if kind is None:
                self._attributes.tell_changes()
        finally:
            _Stage.tracer = _module.written = None
            self._by_name.put_back()
            for exchange in self._exchanges:
                exchange.put_back()
