"""Numbers that left a trace and remember where they came from.

`x.item()`, `len(x)` and what is computed from them are ints and floats of these classes: equal to
Python's own in every way, and with the expression over the traced function's inputs that they are. A
comparison of one tells the trace which way the program went, with the condition (a guard); a call of
an operator tells it which of its constants they became.
"""

import builtins
import contextlib
import math
import operator

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
          "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^"}
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_MATH = ("ceil", "floor", "trunc", "sqrt", "log", "log2", "log10", "exp", "pow", "gcd", "prod", "fabs")


class _Traced:
    """What both classes have: the expression, and the trace that it belongs to."""

    __slots__ = ()


def _operand(value):
    text = _expressions.get(id(value), (None, None, None))[1] if isinstance(value, _Traced) else None
    if text is None:
        return repr(value)
    return text if text.isidentifier() or text.endswith(")") and "(" in text and " " not in text else f"({text})"


# By id: number, expression, tracer. The number is kept, so that no other one gets its id.
_expressions = {}
_origins = {}


def wrap(value, expression, tracer):
    """The number with its expression; other things (bool, lists) as they are, items of lists wrapped."""
    if isinstance(value, list):
        return [wrap(item, f"{expression}[{i}]", tracer) for i, item in enumerate(value)]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    made = (TracedInt if isinstance(value, int) else TracedFloat)(value)
    _expressions[id(made)] = (made, expression, tracer)
    return made


def expression_of(value):
    found = _expressions.get(id(value))
    return found[1] if found else repr(value)


def origin_of(number):
    """The number of its origin in the trace; None for a number without."""
    found = _expressions.get(id(number))
    if not found:
        return None
    if id(number) not in _origins:
        _origins[id(number)] = found[2].origin(found[1], int(number) if isinstance(number, int) else float(number))
    return _origins[id(number)]


def _tracer_of(*values):
    for value in values:
        found = _expressions.get(id(value)) if isinstance(value, _Traced) else None
        if found:
            return found[2]
    return None


def _plain(value):
    if isinstance(value, TracedInt):
        return int.__int__(value)
    if isinstance(value, TracedFloat):
        return float.__float__(value)
    return value


def _result(value, expression, *operands):
    tracer = _tracer_of(*operands)
    if tracer is None or value is NotImplemented:
        return value
    if isinstance(value, tuple):
        return tuple(wrap(item, f"{expression}[{i}]", tracer) for i, item in enumerate(value))
    return wrap(value, expression, tracer)


def _binary(base, name):
    method = getattr(base, f"__{name}__")
    sign = _SIGNS[name]

    def forward(self, other, *rest):
        value = method(self, other, *rest)
        return _result(value, f"{_operand(self)} {sign} {_operand(other)}", self, other)

    return forward


def _reflected(base, name):
    method = getattr(base, f"__r{name}__")
    sign = _SIGNS[name]

    def backward(self, other, *rest):
        value = method(self, other, *rest)
        return _result(value, f"{_operand(other)} {sign} {_operand(self)}", self, other)

    return backward


def _comparison(base, name):
    method = getattr(base, f"__{name}__")
    sign = _COMPARISONS[name]

    def compare(self, other):
        answer = method(self, other)
        tracer = _tracer_of(self, other)
        if tracer is not None and answer is not NotImplemented:
            tracer.guard(f"{_operand(self)} {sign} {_operand(other)}", answer)
        return answer

    return compare


def _unary(base, name, text):
    method = getattr(base, f"__{name}__")

    def apply(self, *rest):
        return _result(method(self, *rest), text.format(_operand(self), *rest), self)

    return apply


def _truth(base):
    def is_true(self):
        answer = base.__bool__(self)
        tracer = _tracer_of(self)
        if tracer is not None:
            tracer.guard(f"bool({expression_of(self)})", answer)
        return answer

    return is_true


def _methods(base):
    made = {"__slots__": (), "__hash__": base.__hash__, "__bool__": _truth(base)}
    for name in _SIGNS:
        if hasattr(base, f"__{name}__"):
            made[f"__{name}__"] = _binary(base, name)
            made[f"__r{name}__"] = _reflected(base, name)
    for name in _COMPARISONS:
        made[f"__{name}__"] = _comparison(base, name)
    for name, text in (("neg", "-{}"), ("abs", "abs({})"), ("round", "round({})"), ("floor", "floor({})"),
                       ("ceil", "ceil({})"), ("trunc", "int({})")):
        made[f"__{name}__"] = _unary(base, name, text)
    made["__repr__"] = base.__repr__
    made["__reduce__"] = lambda self: (base, (_plain(self),))
    return made


TracedInt = type("TracedInt", (_Traced, int), _methods(int))
TracedFloat = type("TracedFloat", (_Traced, float), _methods(float))


def _with_expression(function, name):
    def call(*args, **kwargs):
        value = function(*args, **kwargs)
        if _tracer_of(*args) is None:
            return value
        return _result(value, f"{name}({', '.join(expression_of(arg) for arg in args)})", *args)

    return call


def _measure(tracer):
    """len() whose answer remembers where it came from."""
    from .._tensor import Tensor
    length = builtins.len

    def measure(obj, /):
        value = length(obj)
        if not isinstance(obj, Tensor):
            return value
        return wrap(value, tracer.size_expression(obj), tracer)

    return measure


@contextlib.contextmanager
def patched(tracer):
    """While a trace is recorded: len() and math's functions keep expressions."""
    before = {name: getattr(math, name) for name in _MATH if hasattr(math, name)}
    length = builtins.len
    builtins.len = _measure(tracer)
    for name, function in before.items():
        setattr(math, name, _with_expression(function, name))
    try:
        yield
    finally:
        builtins.len = length
        for name, function in before.items():
            setattr(math, name, function)
        _expressions.clear()
        _origins.clear()
