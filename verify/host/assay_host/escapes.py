"""Values that leave the graph while it is traced: what `bool`, `int`, `item` and their kin gave, and
at which of the user's lines. From there on the tracer sees them as constants.

Looks at a tensor's form (its rank, its strides, whether it is contiguous) never were in the graph;
they count where the user's own code looks. So do look-ups of a size in a dict or a set, reads that hand out a tensor's memory, through which
the tracer sees no write, questions whether a trace is being made, numbers that Python's or NumPy's
generator draws, or that a clock shows, and what the user's code assigns to attributes of modules.

Functions that draw are exchanged where they lie and where the user's modules have them by name, so that
their numbers are known. Draws that nobody can stand in for (`datetime.now`, `uuid4`, a generator that the
model holds) are heard of as calls only: their line is told, and no number."""

import datetime
import os
import random
import sys
import time

import torch

from assay_host.exchanges import Exchanges
from assay_host.listening import is_user_file, is_user_frame

METHODS = ["__bool__", "__int__", "__index__", "__float__", "__complex__", "__len__", "__array__",
           "item", "tolist", "numpy"]  # fmt: skip
LOOKS = ["dim", "ndimension", "is_contiguous", "is_floating_point", "is_complex", "stride", "storage_offset"]
LOOKED_AT = ["ndim", "requires_grad", "is_cuda"]
HANDED_OUT = ["storage", "untyped_storage", "data_ptr", "__dlpack__"]
HANDED_OUT_AT = ["data"]
LOOKED_UP = ["__hash__"]  # A size is a tensor while tracing, which no dict or set holds: found is none.
ASKING = ["_is_tracing", "_get_tracing_state"]  # Of torch._C.
ASSIGNING = ["__setattr__", "register_buffer"]  # Of torch.nn.Module; and of a tensor its data.
CLOCKS = ["time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns",
          "process_time", "process_time_ns"]  # fmt: skip
DATES = ["now", "today", "utcnow"]
OF_THE_SYSTEM = {"os": ["urandom", "getrandom"],
                 "secrets": ["choice", "randbelow", "randbits", "token_bytes", "token_hex"]}  # fmt: skip
# What stands between a user's line and the function that draws; the last listens in the engine's torch.
DRAWING_MODULES = ("random", "secrets", "uuid", "numpy.random", "torch.jit._escapes", "assay.torch.jit._escapes")
OF_A_GENERATOR_ITSELF = ["seed", "getstate", "setstate", "get_state", "set_state", "spawn", "jumped"]
SOURCES = {getattr(time, name, None) for name in CLOCKS} | {getattr(os, name, None) for name in OF_THE_SYSTEM["os"]}
MOST, MOST_NUMBERS = 10000, 64

# PyTorch's table of what scripted code may call; the engine's torch has none.
compiled = getattr(torch.jit, "_builtins", None)
# The engine's package tells which namespaces are no longer what they were at the last call.
changed_dicts = getattr(sys.modules.get("assay._engine"), "changed_dicts", None)
tracing_state = torch._C._get_tracing_state  # Not the one that is listened to below.


def user_place():
    frame = sys._getframe(1)
    while frame is not None and not is_user_frame(frame):
        frame = frame.f_back
    if frame is None:
        return None
    code = frame.f_code
    return {"file": code.co_filename, "line": frame.f_lineno, "function": code.co_name}


def drawing_for_user(frame):
    """Whether a call in this frame draws for the user's code, directly or through a module that draws."""
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(DRAWING_MODULES):
        frame = frame.f_back
    return frame is not None and is_user_frame(frame)


def asked_by_user(frame):
    """Whether a call in this frame asks how the model is run for the user: torch asks for itself, too."""
    return is_user_frame(frame.f_back if frame.f_code.co_name == "is_tracing" else frame)


def shows_date(function):
    return function.__name__ in DATES and issubclass(function.__self__, datetime.date)


def draws_of_python(function):
    return function.__name__ in ("random", "getrandbits")


def draws_of_numpy(function):
    name = function.__name__
    return not name.startswith("_") and name not in OF_A_GENERATOR_ITSELF


sources_by_owner = {}  # By the type of what a function of C belongs to: how to tell. Each call asks.


def how_to_tell(kind):
    if issubclass(kind, type):
        return shows_date
    if issubclass(kind, random.Random):
        return draws_of_python
    return draws_of_numpy if kind.__module__.startswith("numpy.random") else SOURCES.__contains__


def is_source(function):
    """Whether it is a function of C that shows a clock or draws, whatever it is called by."""
    kind = type(getattr(function, "__self__", None))
    tell = sources_by_owner.get(kind)
    if tell is None:
        tell = sources_by_owner[kind] = how_to_tell(kind)
    return tell(function)


known_modules = {}  # By name: the module, and whether it is of the user's. Each export asks.


def user_modules():
    found = []
    for name, module in list(sys.modules.items()):
        known = known_modules.get(name)
        if known is None or known[0] is not module:
            file = getattr(module, "__file__", None)
            own = isinstance(file, str) and is_user_file(file) and not module.__name__.startswith("assay_host")
            known = known_modules[name] = (module, own)
        if known[1]:
            found.append(module)
    return found


def holds_one(module, functions):
    """Whether a module has one of the functions, which are given by their ids."""
    return not functions.keys().isdisjoint(map(id, list(vars(module).values())))


def clocks():
    return [(time, name, getattr(time, name)) for name in CLOCKS if hasattr(time, name)]


def draws():
    """[(module, name, function)] of what draws from the one generator that Python, NumPy or the system has."""
    found = [(sys.modules[module], name, getattr(sys.modules[module], name))
             for module, names in OF_THE_SYSTEM.items() if module in sys.modules
             for name in names if hasattr(sys.modules[module], name)]  # fmt: skip
    for module in (random, sys.modules.get("numpy.random")):
        generator = module and module.random.__self__
        for name, function in vars(module).items() if module else ():
            is_draw = callable(function) and getattr(function, "__self__", None) is generator
            if is_draw and name not in OF_A_GENERATOR_ITSELF:
                found.append((module, name, function))
    return found


class Escapes:
    """While entered, records each escape; a call that another escape makes is not one of its own. May be
    entered again: what stands in for functions is made once."""

    def __init__(self):
        self._exchanges = Exchanges()
        self.found, self._inside, self._builtins, self._made = [], False, [], {}
        self._looked = None  # Of which modules and functions the following are.

    def __enter__(self):
        self.found, self._builtins = [], []
        of_tensors = [name for name in LOOKS + HANDED_OUT + LOOKED_UP if hasattr(torch.Tensor, name)]
        for name in METHODS + of_tensors:
            self._exchanges.put(torch.Tensor, name, self._stand_in(
                name, getattr(torch.Tensor, name), lambda method: self._listening(name, method, name not in METHODS)))  # fmt: skip
        for name in LOOKED_AT + HANDED_OUT_AT:
            self._exchanges.put(torch.Tensor, name, self._stand_in(
                name, getattr(torch.Tensor, name),
                lambda base: property(self._listening(name, base.__get__, True), self._assigning(base.__set__))))  # fmt: skip
        for name in ASKING:
            if hasattr(torch._C, name):
                self._exchanges.put(torch._C, name, self._asking(getattr(torch._C, name)))
        for name in ASSIGNING:
            self._exchanges.put(torch.nn.Module, name, self._assigning(getattr(torch.nn.Module, name)))
        exchanged = draws() + clocks()
        stand_ins = {id(original): self._stand_in("", original, self._drawing) for _, _, original in exchanged}
        for module, name, original in exchanged:
            self._exchanges.put(module, name, stand_ins[id(original)])
        for module in self._holders(stand_ins):
            for name, held in list(vars(module).items()):
                if id(held) in stand_ins:
                    self._exchanges.put(module, name, stand_ins[id(held)])
        self._before = sys.getprofile()
        if self._before is None:  # Else the user's own profiler is at work.
            sys.setprofile(self._called)
        return self

    def _holders(self, stand_ins):
        """The user's modules that hold one of the functions by a name of their own. A check exports often, and
        NumPy alone has thousands of names: only what changed is looked through, where that can be told."""
        modules = user_modules()
        if changed_dicts is None:
            return [module for module in modules if holds_one(module, stand_ins)]
        looked = (modules, list(stand_ins))  # The modules themselves: an id may become another's.
        if looked != self._looked:
            self._looked, self._names = looked, [vars(module) for module in modules]
            self._versions, self._holding = bytearray(8 * len(modules)), [False] * len(modules)
        for place in changed_dicts(self._names, self._versions):
            self._holding[place] = holds_one(modules[place], stand_ins)
        return [module for module, holds in zip(modules, self._holding) if holds]

    def __exit__(self, *_):
        if self._before is None:
            sys.setprofile(None)
        self._exchanges.put_back()
        for listening in self._builtins:
            compiled._get_builtin_table().pop(id(listening), None)

    def _stand_in(self, name, original, make):
        known = self._made.get((name, id(original)))
        if known is None:  # The original is kept, so that no other object gets its id.
            known = self._made[name, id(original)] = (original, make(original))
        return known[1]

    def _listening(self, name, original, is_look):
        def escape(tensor, *args, **kwargs):
            foreign = is_look and not is_user_frame(sys._getframe(1))
            if self._inside or foreign or tracing_state() is None:
                return original(tensor, *args, **kwargs)
            value = self._alone(original, tensor, *args, **kwargs)
            if name in HANDED_OUT + HANDED_OUT_AT + LOOKED_UP:
                self._note(name, None)
            elif not isinstance(value, torch.Tensor):
                self._note(name, value)  # len() goes on to ask a tensor for its index: there it escapes.
            return value

        return escape

    def _drawing(self, original):
        def draw(*args, **kwargs):
            foreign = not drawing_for_user(sys._getframe(1))
            if self._inside or foreign or tracing_state() is None:
                return original(*args, **kwargs)
            value = self._alone(original, *args, **kwargs)
            self._note("random", value)
            return value

        return draw

    def _called(self, frame, event, function):
        if event != "c_call" or self._inside or not is_source(function):
            return
        if tracing_state() is not None and drawing_for_user(frame):
            self._note("random", None)

    def _asking(self, original):
        def is_tracing():
            answer = original()
            if answer and not self._inside and asked_by_user(sys._getframe(1)):
                self._note("is_tracing", True)
            return answer

        # Code that is scripted while it is traced finds it under the original's name.
        operator = compiled and compiled._find_builtin(original)
        if operator is not None:
            compiled._register_builtin(is_tracing, operator)
            self._builtins.append(is_tracing)
        return is_tracing

    def _assigning(self, original):
        def assign(*args, **kwargs):
            if not self._inside and tracing_state() is not None and is_user_frame(sys._getframe(1)):
                self._note("state", None)
            return original(*args, **kwargs)

        return assign

    def _alone(self, original, *args, **kwargs):
        self._inside = True
        try:
            return original(*args, **kwargs)
        finally:
            self._inside = False

    def _note(self, name, value):
        place = user_place()
        if not place or len(self.found) >= MOST:
            return
        value = as_python(value)
        found = dict(place, kind=name.strip("_"), value=plain(value))
        numbers = few_numbers(value) if isinstance(value, (list, tuple)) else None
        if numbers:
            found["numbers"] = numbers
        self.found.append(found)


def as_python(value):
    """NumPy's numbers and small arrays, and bytes, as Python's."""
    if isinstance(value, bytes) and len(value) <= MOST_NUMBERS:
        return list(value)
    small = getattr(value, "size", None)
    if hasattr(value, "tolist") and isinstance(small, int) and small <= MOST_NUMBERS:
        return value.tolist()
    return value


def plain(value):
    """A number that JSON holds exactly, or None."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value if isinstance(value, (bool, int, float)) and abs(value) < 2**63 else None


def few_numbers(values):
    """The numbers of nested lists in their order; None where they are many or not all known."""
    found = []
    for value in values:
        inner = few_numbers(value) if isinstance(value, (list, tuple)) else [plain(value)]
        if inner is None or None in inner or len(found) + len(inner) > MOST_NUMBERS:
            return None
        found += inner
    return found
