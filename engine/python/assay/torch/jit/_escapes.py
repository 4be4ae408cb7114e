"""What a trace depends on beside numbers of tensors, and does not show: draws of Python's and NumPy's own
generators, clocks, memory that is handed out to NumPy, and plain attributes of modules that change."""

import contextlib
import functools
import random
import sys
import time

from .._tensor import Tensor
from ..nn import Module

_OF_A_GENERATOR_ITSELF = ("seed", "getstate", "setstate", "get_state", "set_state")
_CLOCKS = ("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time")
_HANDED_OUT = ("numpy", "__array__", "storage", "untyped_storage", "__dlpack__")


def _short(value):
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:197]}..."


@functools.lru_cache(maxsize=None)
def _draws(numpy_random):
    """[(module, name)] of what draws from the one generator that Python, or NumPy, has."""
    found = []
    generators = [(random, random.Random)] + ([(numpy_random, numpy_random.RandomState)] if numpy_random else [])
    for module, generator in generators:
        for name in vars(module):
            is_draw = not name.startswith("_") and callable(getattr(generator, name, None))
            if is_draw and name not in _OF_A_GENERATOR_ITSELF:
                found.append((module, name))
    return found


class _Listening:
    """Puts functions that tell the tracer in the place of others; a call that another one makes is not told."""

    def __init__(self, tracer):
        self.tracer, self._own, self._inside = tracer, [], False

    def replace(self, owner, name, tell):
        original = getattr(owner, name)

        def listening(*args, **kwargs):
            if self._inside:
                return original(*args, **kwargs)
            self._inside = True
            try:
                value = original(*args, **kwargs)
            finally:
                self._inside = False
            tell(name, args, value)
            return value

        self._own.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, listening)

    def put_back(self):
        for owner, name, own in reversed(self._own):
            if own is None:
                delattr(owner, name)
            else:
                setattr(owner, name, own)

    def draw(self, module):
        return lambda name, args, value: self.tracer.escape(
            "random", f"{module.__name__}.{name}({', '.join(map(_short, args))})", _short(value), True)

    def clock(self, name, args, value):
        self.tracer.escape("time", f"time.{name}()", _short(value), True)

    def handed_out(self, name, args, value):
        self.tracer.escape("numpy", f"{self.tracer.expression(args[0], False)}.{name}()", "", True)


def _plain_attributes(module):
    """What a module keeps that is neither a parameter, a buffer nor a submodule."""
    return {name: value for name, value in vars(module).items()
            if not name.startswith("_") and not isinstance(value, (Module, Tensor)) and not callable(value)}


def _held(value):
    """The value with what it holds now, to compare with later."""
    if isinstance(value, dict):
        return value, dict(value)
    return value, list(value) if isinstance(value, (list, set)) else None


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
    """Plain attributes of a module and its submodules."""

    def __init__(self, module):
        found = module.named_modules() if isinstance(module, Module) else ()
        self._before = [(path, each, {name: _held(value) for name, value in _plain_attributes(each).items()})
                        for path, each in found]
        self._lines = set()

    def tell_changes(self, tracer):
        """Of those that were written to by name the line is told already."""
        for path, module, before in self._before:
            for name, now in _plain_attributes(module).items():
                changed = name not in before or not _same(before[name], now)
                if changed and (id(module), name) not in self._lines:
                    tracer.escape("attribute", ".".join(filter(None, ("self", path, name))), _short(now), False)

    def written(self, tracer):
        """Listens to assignments: `self.count += 1`."""
        paths = {id(module): path for path, module, _ in self._before}

        def tell(name, args, value):
            module, attribute, new = args
            path = paths.get(id(module))
            if path is None or isinstance(new, (Module, Tensor)) or attribute.startswith("_"):
                return
            self._lines.add((id(module), attribute))
            tracer.escape("attribute", ".".join(filter(None, ("self", path, attribute))), _short(new), True)

        return tell


@contextlib.contextmanager
def told(tracer, module):
    """While a trace is recorded: the tracer is told of them."""
    listening, attributes = _Listening(tracer), _Attributes(module)
    for owner, name in _draws(sys.modules.get("numpy.random")):
        listening.replace(owner, name, listening.draw(owner))
    for name in _CLOCKS:
        listening.replace(time, name, listening.clock)
    for name in filter(lambda name: hasattr(Tensor, name), _HANDED_OUT):
        listening.replace(Tensor, name, listening.handed_out)
    listening.replace(Module, "__setattr__", attributes.written(tracer))
    try:
        yield
        attributes.tell_changes(tracer)
    finally:
        listening.put_back()
