"""Numbers that left a trace and remember where they came from.

`int(x)`, `x.item()`, `len(x)` and what is computed from them are ints and floats of these classes: equal
to Python's own in every way, and with the expression over the traced function's inputs that they are,
and the origins (where numbers left the graph) that it rests on. A comparison of one tells the trace
which way the program went, with the condition (a guard); a call of an operator tells it which of its
constants they became. While a trace is recorded the extension says what `int`, `float` and the functions
of `math` gave for such numbers (bind/number_hooks).
"""

import builtins
import operator

from assay import _engine as _C
from .._tensor import Tensor

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
          "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^", "divmod": "divmod"}
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNARY = {"neg": "-{}", "pos": "{}", "invert": "~{}", "abs": "abs({})", "round": "round({})",
          "floor": "math.floor({})", "ceil": "math.ceil({})", "trunc": "int({})"}
_METHODS = ("bit_length", "bit_count", "is_integer")


class _Traced:
    """What both classes have: `_from`, which is (expression, tracer, numbers of the origins)."""

    __slots__ = ()


def wrap(value, expression, tracer, origins=()):
    """The number with its expression; what is no number as it is."""
    plain = _PLAIN.get(type(value))
    if plain is None:
        return value
    made = (TracedInt if plain is int else TracedFloat)(value)
    made._from = (expression, tracer, tuple(origins))
    return made


def leave(value, expression, tracer, how):
    """A number that leaves the graph now, or the numbers of a list, with their expressions."""
    if isinstance(value, list):
        return [leave(item, f"{expression}[{i}]", tracer, how) for i, item in enumerate(value)]
    if type(value) not in (int, float):
        return value
    return wrap(value, expression, tracer, [tracer.leave(expression, value, how)])


def expression_of(value):
    return value._from[0] if isinstance(value, _Traced) else repr(value)


def _plain(value):
    """Python's own number."""
    if isinstance(value, TracedInt):
        return int.__int__(value)
    if isinstance(value, TracedFloat):
        return float.__float__(value)
    return value


def _is_one(text):
    """Whether an expression needs no parentheses: names, calls and items of such."""
    depth = 0
    for each in text:
        depth += (each in "([") - (each in ")]")
        if depth == 0 and not (each.isalnum() or each in "_.)]"):
            return False
    return text[0] not in "(["


def _operand(value):
    text = expression_of(value)
    return text if not isinstance(value, _Traced) or _is_one(text) else f"({text})"


def _result(value, expression, *operands):
    """What was computed from such numbers, with all that it rests on."""
    tracer, origins = None, {}
    for each in operands:
        if isinstance(each, _Traced):
            tracer = each._from[1]
            origins.update(dict.fromkeys(each._from[2]))
    if tracer is None or isinstance(value, _Traced):
        return value
    if isinstance(value, tuple):
        return tuple(wrap(item, f"{expression}[{i}]", tracer, origins) for i, item in enumerate(value))
    if isinstance(value, bool):
        _guard(expression, value, *operands)
    return wrap(value, expression, tracer, origins)


def _guard(condition, answer, *operands):
    traced = [each for each in operands if isinstance(each, _Traced)]
    origins = dict.fromkeys(origin for each in traced for origin in each._from[2])
    traced[0]._from[1].guard(condition, answer, list(origins))


def _infix(sign, a, b, *rest):
    if sign == "+" and type(a) is int and a == 0:  # As sum() begins.
        return expression_of(b)
    if sign == "divmod" or rest:
        name = "pow" if rest else sign
        return f"{name}({', '.join(expression_of(each) for each in (a, b, *rest))})"
    return f"{_operand(a)} {sign} {_operand(b)}"


def _binary(base, name):
    method = getattr(base, f"__{name}__")
    apply = getattr(builtins, name, None) or getattr(operator, f"__{name}__")
    sign = _SIGNS[name]

    def forward(self, other, *rest):
        if type(other) not in _PLAIN:  # It may know more of numbers than these do.
            return method(self, other, *rest)
        value = (pow if rest else apply)(_plain(self), _plain(other), *map(_plain, rest))
        return _result(value, _infix(sign, self, other, *rest), self, other, *rest)

    return forward


def _reflected(base, name):
    method = getattr(base, f"__r{name}__")
    apply = getattr(builtins, name, None) or getattr(operator, f"__{name}__")
    sign = _SIGNS[name]

    def backward(self, other, *rest):
        if type(other) not in _PLAIN:
            return method(self, other, *rest)
        return _result(apply(_plain(other), _plain(self)), _infix(sign, other, self), self, other)

    return backward


def _comparison(base, name):
    method = getattr(base, f"__{name}__")
    apply = getattr(operator, f"__{name}__")
    sign = _COMPARISONS[name]

    def compare(self, other):
        if type(other) not in _PLAIN:
            return method(self, other)
        answer = apply(_plain(self), _plain(other))
        _guard(f"{_operand(self)} {sign} {_operand(other)}", answer, self, other)
        return answer

    return compare


def _unary(base, name, text):
    method = getattr(base, f"__{name}__")

    def apply(self, *rest):
        given = ", ".join([expression_of(self), *map(expression_of, rest)])
        expression = text.format(given if "(" in text else _operand(self))
        return _result(method(_plain(self), *map(_plain, rest)), expression, self)

    return apply


def _method(base, name):
    method = getattr(base, name)
    return lambda self: _result(method(_plain(self)), f"{_operand(self)}.{name}()", self)


def _truth(self):
    answer = bool(_plain(self))
    _guard(f"bool({expression_of(self)})", answer, self)
    return answer


def _hash(self):
    """As a key it is looked up by what it is."""
    value = _plain(self)
    _guard(f"{_operand(self)} == {value!r}", True, self)
    return hash(value)


def _text(convert):
    """Becomes a text, which does not remember."""
    def apply(self, *rest):
        text = convert(_plain(self), *rest)
        self._from[1].escape("text", expression_of(self), text, True)
        return text

    return apply


def _array_function(self, function, method, *inputs, **options):
    """NumPy's functions give NumPy's numbers."""
    value = getattr(function, method)(*map(_plain, inputs), **options)
    self._from[1].escape("numpy", f"numpy.{function.__name__}({', '.join(map(expression_of, inputs))})", repr(value),
                         True)
    return value


def _all_methods(base):
    made = {"__hash__": _hash, "__bool__": _truth, "__str__": _text(str), "__repr__": _text(repr),
            "__format__": _text(format), "__array_ufunc__": _array_function,
            "__reduce__": lambda self: (base, (_plain(self),))}
    for name in _SIGNS:
        if hasattr(base, f"__{name}__"):
            made[f"__{name}__"] = _binary(base, name)
            made[f"__r{name}__"] = _reflected(base, name)
    for name in _COMPARISONS:
        made[f"__{name}__"] = _comparison(base, name)
    for name, text in _UNARY.items():
        if hasattr(base, f"__{name}__"):
            made[f"__{name}__"] = _unary(base, name, text)
    for name in _METHODS:
        if hasattr(base, name):
            made[name] = _method(base, name)
    return made


TracedInt = type("TracedInt", (_Traced, int), _all_methods(int))
TracedFloat = type("TracedFloat", (_Traced, float), _all_methods(float))
_PLAIN = {int: int, float: float, TracedInt: int, TracedFloat: float, bool: None}
_C.set_remembering(TracedInt, TracedFloat)


def computed(function, arguments, value, tracer, left):
    """What `int`, `float` or a function of math gave: with its expression. Of tensors among the arguments the
    numbers left before, and are in `left` by their expressions."""
    first = arguments[0]
    if function in ("int", "float") and isinstance(first, Tensor):
        return leave(value, tracer.expression(first, False), tracer, function)
    arguments = [left.get(tracer.expression(each, False), each) if isinstance(each, Tensor) else each
                 for each in arguments]
    if any(isinstance(each, Tensor) for each in arguments):
        return value
    if function in ("int", "float"):
        same = isinstance(first, TracedInt) == (function == "int")
        return _result(value, expression_of(first) if same else f"{function}({expression_of(first)})", first)
    text = ", ".join(map(expression_of, arguments))
    if function == "range":
        return _rounds(value, text, arguments, tracer)
    return _result(value, f"math.{function}({text})", *arguments)


def _rounds(value, text, arguments, tracer):
    """A range of such numbers: how often it turns leaves the trace; numbers that do not just count
    from a fixed one remember."""
    start, step = arguments[0], arguments[2] if len(arguments) > 2 else 1
    counts = len(arguments) < 2 or not isinstance(start, _Traced)
    tracer.leave(text if len(arguments) == 1 else f"len(range({text}))", len(value), "range")
    if counts and not isinstance(step, _Traced):
        return value
    return _Range(value, start if len(arguments) > 1 else 0, step)


class _Range:
    """A range whose numbers remember."""

    __class__ = property(lambda self: range)

    def __init__(self, plain, start, step):
        self._plain, self._start, self._step = plain, start, step

    def __len__(self):
        return len(self._plain)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._plain[index]
        return self._start + range(len(self._plain))[index] * self._step

    def __iter__(self):
        return (self[i] for i in range(len(self._plain)))

    def __reversed__(self):
        return (self[i] for i in reversed(range(len(self._plain))))

    def __getattr__(self, name):
        return getattr(self._plain, name)

    def __repr__(self):
        return repr(self._plain)

    def __eq__(self, other):
        return self._plain == (other._plain if type(other) is _Range else other)

    def __hash__(self):
        return hash(self._plain)

    def __contains__(self, value):
        return value in self._plain


def _measure(length):
    """len() whose answer remembers where it came from."""
    def measure(self, /):  # By the name of which a trace calls no value.
        value = length(self)
        if not isinstance(self, Tensor):
            return value
        tracer = _C._get_tracing_state()
        return value if tracer is None else leave(value, tracer.expression(self, True), tracer, "len")

    return measure


def _choose(name, original):
    """min() or max(): the number that it gives is chosen by all, and no more than that is asked of them."""
    def choose(*args, **kwargs):
        given = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
        numbers = not kwargs and len(given) > 1 and all(type(each) in (int, float, TracedInt, TracedFloat)
                                                        for each in given)
        if not numbers or not any(isinstance(each, _Traced) for each in given):
            return original(*args, **kwargs)
        return _result(original(map(_plain, given)), f"{name}({', '.join(map(expression_of, given))})", *given)

    return choose


def remembering(called, original):
    """One of Python's len(), min() and max(), which while a trace is recorded gives such numbers."""
    name = called.removeprefix("builtins.")
    return _measure(original) if name == "len" else _choose(name, original)
