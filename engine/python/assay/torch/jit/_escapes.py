"""What a trace depends on beside numbers of tensors, and does not show: draws of Python's, NumPy's and the
system's generators, clocks, memory that is handed out to NumPy, and plain attributes of modules that change."""

import builtins
import datetime
import random
import sys
import time

from assay import _engine as _C
from .._tensor import Tensor
from ..nn import Module
from ..nn.modules import module as _module
from . import _numbers
from ._stand_ins import Functions, StandIns

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


def _draws(module, generator):
    """Names of what draws from the one generator that a module has."""
    return [name for name in vars(module) if not name.startswith("_") and name not in _OF_A_GENERATOR_ITSELF
            and callable(getattr(generator, name, None))]


def _telling_draw(called, function):
    return _telling(function, _draw(called))


def _telling_clock(called, function):
    return _telling(function, _clock(called))


_known = {}  # By the names of their modules.


def _told_functions():
    """Of the modules that the program has imported by now."""
    if not _known:
        _known["builtins"] = Functions(builtins, ("len", "min", "max"), _numbers.remembering)
        _known["time"] = Functions(time, _CLOCKS, _telling_clock)
        _known["random"] = Functions(random, _draws(random, random.Random), _telling_draw)
        _known["datetime"] = Functions(datetime, [own.__name__ for own in _DATES],
                                       lambda _, own: _date_that_tells(own, _DATES[own]))
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None and "numpy" not in _known:
        _known["numpy"] = Functions(numpy_random, _draws(numpy_random, numpy_random.RandomState), _telling_draw)
    for name, functions in _OF_THE_SYSTEM.items():
        module = sys.modules.get(name)
        if module is not None and name not in _known:
            _known[name] = Functions(module, [f for f in functions if hasattr(module, f)], _telling_draw)
    return list(_known.values())


_stand_ins = StandIns(_told_functions)


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
        self._tracer, self._attributes = tracer, _Attributes(paths, tracer)

    def __enter__(self):
        _stand_ins.put()
        _Stage.tracer, _module.written = self._tracer, self._attributes.written

    def __exit__(self, kind, error, traceback):
        try:
            if kind is None:
                self._attributes.tell_changes()
        finally:
            _Stage.tracer = _module.written = None
            _stand_ins.put_back()
