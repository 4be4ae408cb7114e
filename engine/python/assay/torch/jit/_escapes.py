"""What a trace depends on beside numbers of tensors, and does not show: draws of Python's and NumPy's own
generators, clocks, memory that is handed out to NumPy, and plain attributes of modules that change."""

import random
import sys
import time

from assay import _engine as _C
from .._tensor import Tensor
from ..nn import Module
from ..nn.modules import module as _module

_OF_A_GENERATOR_ITSELF = ("seed", "getstate", "setstate", "get_state", "set_state")
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
        self._telling = {name: _telling(function, self._tell(f"{self._prefix}.{name}"))
                         for name, function in functions.items()}

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


_exchanges = {}


def _all_exchanges():
    """Of the modules that the program has imported by now."""
    if not _exchanges:
        _exchanges["time"] = _Exchange(time, _CLOCKS, _clock)
        _exchanges["random"] = _Exchange(random, _draws(random, random.Random), _draw)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None and "numpy" not in _exchanges:
        _exchanges["numpy"] = _Exchange(numpy_random, _draws(numpy_random, numpy_random.RandomState), _draw)
    return list(_exchanges.values())


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
        self._tracer.escape("attribute", what, _short(value), placed)


class told:
    """While a trace is recorded: the tracer is told of them."""

    def __init__(self, tracer, paths):
        self._tracer, self._attributes = tracer, _Attributes(paths, tracer)

    def __enter__(self):
        self._exchanges = _all_exchanges()
        for exchange in self._exchanges:
            exchange.put()
        _Stage.tracer, _module.written = self._tracer, self._attributes.written

    def __exit__(self, kind, error, traceback):
        try:
            if kind is None:
                self._attributes.tell_changes()
        finally:
            _Stage.tracer = _module.written = None
            for exchange in self._exchanges:
                exchange.put_back()
