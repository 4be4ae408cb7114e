"""Functions, classes and modules that script_test.py compiles with assay's torch and with PyTorch, in a
process each. Prints, as JSON, for each: its graph and code and what it gives, or that it is refused.

Run by itself: `python script_cases.py [NAME]`.
"""

import enum
import json
import math
import os
import sys
from collections import OrderedDict
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor, nn

CASES = {}


def case(*args, **kwargs):
    """A function that is compiled and called with these arguments."""

    def add(fn):
        CASES[fn.__name__] = (lambda: torch.jit.script(fn), args, kwargs)
        return fn

    return add


def module(*args, **kwargs):
    """A module class; an object of it is compiled and called."""

    def add(cls):
        CASES[cls.__name__] = (lambda: torch.jit.script(cls()), args, kwargs)
        return cls

    return add


def x(*shape):
    count = math.prod(shape)
    return (torch.arange(count, dtype=torch.float32) - count / 2).reshape(shape) / 4


# Expressions and statements.

@case(x(2, 3), x(2, 3))
def add_two(a, b):
    return a + b


@case(x(2, 3), 3)
def scaled(a, n: int):
    return a * n + 2.5 - n / 2


@case(x(2, 3), True)
def ternary(a, flag: bool):
    scale = 1 if flag else 2
    return a * scale


@case(x(2, 3))
def branch(a):
    if a.sum() > 0:
        b = a + 1
    elif a.mean() > -1.0:
        b = a - 1
    else:
        b = a
    return b


@case(x(2, 3), 4)
def while_loop(a, n: int):
    i = 0
    while i < n:
        a = a + i
        i += 1
        if i == 3:
            break
    return a, i


@case(x(4, 3))
def for_loop(a):
    total = torch.zeros(3)
    for i in range(a.size(0)):
        if i == 1:
            continue
        total += a[i]
    return total


@case(x(4, 3))
def over_tensor(a):
    out = []
    for row in a:
        out.append(row * 2)
    return torch.stack(out)


@case([1, 2, 3])
def comprehension(xs: List[int]):
    return [i * 2 for i in xs]


@case({"a": 1, "b": 2})
def dict_comprehension(d: Dict[str, int]):
    return {k: v + 1 for k, v in d.items()}


@case([1, 2, 3], ["a", "b", "c"])
def zipped(xs: List[int], ys: List[str]):
    out: Dict[str, int] = {}
    for i, (n, s) in enumerate(zip(xs, ys)):
        out[s] = n + i
    return out


@case(2, 7.5)
def arithmetic(i: int, f: float):
    return i // 2, i % 3, f // 2, i ** 2, -i, i << 2, i | 1, i & 3, i ^ 5, ~i


@case(3, 4)
def comparisons(a: int, b: int):
    return a < b, a <= b < 5, a == b or a != 3, not a > b, a in [1, 2, 3], b not in [1, 2]


@case("hello")
def strings(s: str):
    return s.upper(), s[1:3], s + "!", s.replace("l", "L"), len(s), s.find("l"), "{}-{}".format(s, 3), s.split("e")


@case("w", 2)
def formatted(s: str, n: int):
    return f"{s} has {n}"


@case("w", 2)
def percent(s: str, n: int):
    return "%s has %d" % (s, n)


@case(x(3, 4, 5))
def indexing(a):
    return a[0], a[:, 1], a[..., 2], a[1:, :2, None], a[-1, -1, -1], a[:, [0, 2]], a[a > 0]


@case(x(3, 4))
def index_assign(a):
    b = a.clone()
    b[0] = 1
    b[1, 2] = 5.0
    b[:, 1] += 1
    b[b < -1] = 0
    return b


@case([3, 1, 2])
def list_methods(xs: List[int]):
    ys = xs.copy()
    ys.append(4)
    ys.extend([5, 6])
    ys.insert(0, 9)
    last = ys.pop()
    ys.sort()
    ys.reverse()
    return ys, last, ys.index(3), ys.count(4), len(ys), sum(ys), max(ys), ys[1:3], ys[::2]


@case({"a": 1})
def dict_methods(d: Dict[str, int]):
    e = d.copy()
    e["b"] = 2
    first = e.get("a")
    other = e.get("z", 7)
    keys = [k for k in e.keys()]
    vals = [v for v in e.values()]
    gone = e.pop("a")
    del e["b"]
    return first, other, keys, vals, gone, len(e), "a" in e


@case((1, x(2)))
def tuples(t: Tuple[int, Tensor]):
    n, a = t
    return a + n, t[0], t[1], (n, (a, "s"))


@case(x(2, 2), None)
def optional(a, b: Optional[Tensor]):
    if b is None:
        b = torch.ones(2, 2)
    return a + b


@case(x(2, 2), x(2, 2))
def optional_given(a, b: Optional[Tensor] = None):
    if b is not None:
        a = a * b
    return a


@case(3)
def is_instance(v: Union[int, str]):
    if isinstance(v, int):
        return v + 1
    return len(v)


@case([1, 2])
def any_list(v: Any):
    if torch.jit.isinstance(v, List[int]):
        return v[0]
    return 0


@case(x(2, 2))
def asserting(a):
    assert a.dim() == 2, "two dimensions wanted"
    assert isinstance(a, torch.Tensor)
    return a


@case(-1)
def raising(n: int):
    if n < 0:
        raise ValueError("negative: {}".format(n))
    return n


@case(x(2, 2))
def early_return(a):
    if a.sum() > 100:
        return a
    for i in range(3):
        if i == 2:
            return a * i
    return a - 1


@case(x(2, 2))
def annotated_local(a):
    xs: List[Tensor] = []
    n: int = 3
    for i in range(n):
        xs.append(a + i)
    return torch.cat(xs)


@case(x(2, 2))
def annotate(a):
    xs = torch.jit.annotate(List[Optional[int]], [])
    xs.append(1)
    xs.append(None)
    return len(xs)


@case(2)
def defaults(n: int, scale: float = 2.0, label: str = "s", flags: Optional[List[int]] = None):
    if flags is None:
        flags = [1]
    return n * scale, label, flags


@case(2, scale=3)
def keyword_only(n: int, *, scale: int):
    return n * scale


@case(x(2, 2), [1, 2])
def type_comment(a, xs):
    # type: (Tensor, List[int]) -> Tensor
    return a + xs[0]


@case(x(2, 2), 3)
def parameter_comments(
        a,  # type: Tensor
        n,  # type: int
):
    # type: (...) -> Tensor
    return a + n


@case(x(2, 2))
def declared(a: Tensor) -> Tuple[Tensor, int]:
    """A docstring

with lines to the left.
    """
    return a, 1


@case(x(3, 3))
def long_lines(a):
    b = (a + 1
         - 2)
    c = torch.cat([
        b,
        b * 2,  # a comment
    ], dim=0)
    return c \
        + 1


@case(2.25)
def math_functions(v: float):
    return math.sqrt(v), math.floor(v), math.ceil(v), math.exp(v), math.pi * v, math.log(v), math.isnan(v), abs(-v)


@case(3)
def casts(n: int):
    return float(n), bool(n), str(n), int(2.7), complex(n, 1)


@case(x(2, 3))
def tensor_properties(a):
    return a.shape, a.dtype == torch.float32, a.ndim, a.T, a.device, a.is_cuda, a.requires_grad


@case(x(2, 3))
def factories(a):
    b = torch.zeros(2, 3, dtype=torch.int64)
    c = torch.ones_like(a)
    d = torch.arange(3)
    e = torch.full((2, 2), 3.0)
    f = torch.tensor([1, 2, 3])
    return b, c, d, e, f, a.new_zeros(2), torch.empty(0)


@case(x(2, 3))
def conversions(a):
    return a.to(torch.float64), a.int(), a.long().float(), a.type(torch.int32), a.to("cpu"), a.double()


@case(x(2, 3))
def methods(a):
    b = a.view(3, 2).transpose(0, 1).contiguous()
    return b.sum(dim=1, keepdim=True), b.max(), b.max(dim=0)[0], b.permute(1, 0), b.unsqueeze(0).squeeze(0)


@case(x(2, 3))
def item_values(a):
    v = a[0, 0].item()
    n = int(a[0, 1])
    return float(a[0, 0]) + n, bool(a[0, 0] > 0)


@case(x(2, 3))
def starred(a):
    xs = (a, a + 1)
    first, *rest = (1, 2, 3)
    return torch.cat([*xs]), first, rest


@case(x(2, 3))
def printing(a):
    print("shape", a.size(0))
    return a


@case(x(2, 3))
def chained_assign(a):
    b = c = a + 1
    b, c = c, b * 2
    return b, c


@case(x(2, 3))
def augmented(a):
    b = a.clone()
    b += 1
    b *= 2
    b -= a
    b /= 3
    n = 3
    n += 2
    n *= 2
    return b, n


@case(x(2, 3))
def matmul(a):
    return a @ a.t()


@case(3)
def nested_loops(n: int):
    total = 0
    for i in range(n):
        for j in range(i, n, 2):
            if j == i:
                continue
            total += i * j
    return total


@case(5)
def loop_else_values(n: int):
    found = -1
    for i in range(n):
        if i * i > 5:
            found = i
            break
    return found


# Names from outside.

@case(x(2, 3))
def functional(a):
    return F.relu(a), F.softmax(a, dim=1), torch.nn.functional.gelu(a)


def helper(a, n: int = 2):
    return a * n


def helper_of_helper(a):
    return helper(a) + helper(a, 3)


@case(x(2, 3))
def calls_functions(a):
    return helper_of_helper(a)


def make_closure():
    def inner(a):
        return a + 7

    def outer(a):
        return inner(a) * 2

    return outer


CASES["closure"] = (lambda: torch.jit.script(make_closure()), (x(2),), {})

LIMIT = 3


@case(x(2))
def uses_global(a):
    return a + LIMIT


@torch.jit.ignore
def in_python(a, n: int):
    return a + n


@torch.jit.ignore
def python_count(a) -> int:
    return len(a.tolist())


@case(x(2))
def ignoring(a):
    return in_python(a, 3) + python_count(a)


@torch.jit.unused
def never(a):
    return undefined_name(a)  # noqa: F821


@case(x(2))
def unused_call(a):
    if a.numel() > 100:
        return never(a)
    return a


@case(x(2))
def scripting(a):
    if torch.jit.is_scripting():
        return a + 1
    return not_defined(a)  # noqa: F821


@torch.jit.script
def decorated(a, n: int):
    return a - n


@case(x(2))
def calls_script_function(a):
    return decorated(a, 3)


class Color(enum.Enum):
    RED = 1
    GREEN = 2


@case(x(2), Color.GREEN)
def enums(a, c: Color):
    if c == Color.RED:
        return a
    return a + c.value


@case()
def enum_members():
    return Color.RED.name, Color.GREEN.value, len([c for c in Color])


class Point(NamedTuple):
    px: Tensor
    py: int


@case(x(2))
def named_tuple(a):
    p = Point(a, 3)
    return p.px + p.py, p


@case(Point(x(2), 4))
def takes_named_tuple(p: Point):
    return p.px * p.py


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.seen: List[int] = []

    def add(self, n: int) -> int:
        self.count += n
        self.seen.append(n)
        return self.count

    def __len__(self):
        return len(self.seen)

    def __add__(self, n: int) -> int:
        return self.count + n

    @staticmethod
    def twice(n: int) -> int:
        return n * 2


@case(3)
def script_class(n: int):
    c = Counter(n)
    c.add(4)
    c.count = c.count + 1
    return c.count, len(c), c + 1, c.seen, Counter.twice(n)


class Plain:
    def __init__(self, v: Tensor):
        self.v = v

    def doubled(self):
        return self.v * 2


@case(x(2))
def class_on_demand(a):
    return Plain(a).doubled()


def task(a, n: int):
    return a * n


@case(x(2))
def forking(a):
    f = torch.jit.fork(task, a, 2)
    g = torch.jit._fork(task, a, n=3)
    return torch.jit.wait(f) + torch.jit._wait(g)


@case(x(2))
def no_grad(a):
    with torch.no_grad():
        b = a * 2
    return b


# What has to be refused.

@case(1)
def bad_undefined(n: int):
    return n + missing_thing  # noqa: F821


@case(2, scale=3)
def bad_keyword_default(n: int, *, scale: int = 1):
    return n * scale


@case(1)
def bad_types(n: int):
    return n + "s"


@case(x(2))
def bad_reassign(a):
    b = 1
    if a.sum() > 0:
        b = "s"
    return b


@case(1)
def bad_lambda(n: int):
    f = lambda v: v + 1  # noqa: E731
    return f(n)


@case(1)
def bad_try(n: int):
    try:
        return n
    except ValueError:
        return 0


@case(1)
def bad_star_args(*args):
    return args[0]


@case(x(2))
def bad_attribute(a):
    return a.no_such_method()


@case(1)
def bad_return(n: int) -> str:
    return n


@case(x(2))
def bad_library(a):
    return os.path.join("a", "b")


@case(1)
def bad_yield(n: int):
    yield n


@case(1)
def bad_global(n: int):
    global LIMIT
    LIMIT = n
    return n


@case(1)
def bad_set(n: int):
    return {1, n}


@case([1, 2])
def bad_generator(xs: List[int]):
    return sum(v for v in xs)


@case(1)
def bad_missing_return(n: int) -> int:
    if n > 0:
        return 1


@case(3)
def bad_recursion(n: int) -> int:
    if n == 0:
        return 0
    return bad_recursion(n - 1)


CASES["bad_lambda_itself"] = (lambda: torch.jit.script(lambda a: a), (x(2),), {})


# Modules.

@module(x(2, 3))
class Affine(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(x(3, 3))
        self.register_buffer("shift", x(3))
        self.scale = 2.0
        self.labels = ["a", "b"]
        self.table = {"k": 1}

    def forward(self, a):
        return a @ self.weight * self.scale + self.shift + len(self.labels) + self.table["k"]


@module(x(2, 3))
class Calls(nn.Module):
    def helper(self, a, n: int):
        return self.other(a) * n

    def other(self, a):
        return a + 1

    def forward(self, a):
        return self.helper(a, 3)


@module(x(2, 3))
class Constants(nn.Module):
    __constants__ = ["n", "names", "pair"]

    def __init__(self):
        super().__init__()
        self.n = 3
        self.names = ["a", "b"]
        self.pair = (1, 2.5)

    def forward(self, a):
        for v in self.pair:
            a = a + v
        if self.n == 3:
            a = a * self.n
        return a, self.names


@module(x(2, 3))
class Finals(nn.Module):
    size: torch.jit.Final[int]

    def __init__(self):
        super().__init__()
        self.size = 4

    def forward(self, a):
        if self.size > 3:
            return a + self.size
        return a


@module(x(2, 3))
class Annotated(nn.Module):
    extra: Optional[Tensor]
    counts: Dict[str, List[int]]

    def __init__(self):
        super().__init__()
        self.extra = None
        self.counts = {}
        self.attribute = torch.jit.Attribute([], List[int])

    def forward(self, a):
        extra = self.extra
        if extra is not None:
            a = a + extra
        self.attribute.append(3)
        self.counts["a"] = [1, 2]
        return a, self.attribute


class Inner(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.n = n
        self.weight = nn.Parameter(x(3) + n)

    def forward(self, a):
        return a * self.weight + self.n


@module(x(2, 3))
class Lists(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Inner(1), Inner(2), Inner(3)])

    def forward(self, a):
        for layer in self.layers:
            a = layer(a)
        for i, layer in enumerate(self.layers):
            a = layer(a) + i
        return self.layers[0](a) + self.layers[-1](a), len(self.layers)


@module(x(2, 3))
class Dicts(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"one": Inner(1), "two": Inner(2)})

    def forward(self, a):
        for name, layer in self.layers.items():
            if name == "two":
                a = a + 1
            a = layer(a)
        for layer in self.layers.values():
            a = layer(a)
        names = [name for name in self.layers.keys()]
        return self.layers["two"](a), "one" in self.layers, len(self.layers), names


@module(x(2, 3))
class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(OrderedDict([("first", Inner(1)), ("act", nn.ReLU()), ("last", Inner(2))]))

    def forward(self, a):
        return self.body(a) + self.body.last(a)


@module(x(2, 3))
class Parameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(x(3)), nn.Parameter(x(3) + 1)])

    def forward(self, a):
        for w in self.weights:
            a = a * w
        return a + self.weights[0]


@module(x(2, 3))
class Exported(nn.Module):
    def forward(self, a):
        return a

    @torch.jit.export
    def other(self, a, n: int = 3):
        return a * n


@module(x(2, 3))
class Ignored(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 3

    @torch.jit.ignore
    def python(self, a, k: int) -> Tensor:
        return a * self.n * k

    @torch.jit.unused
    def gone(self, a):
        return nonsense(a)  # noqa: F821

    def forward(self, a):
        if a.numel() > 100:
            a = self.gone(a)
        return self.python(a, 2)


@module(x(2, 3))
class Properties(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 3

    @property
    def twice(self) -> int:
        return self.n * 2

    def forward(self, a):
        return a + self.twice


@module(x(2, 3))
class Training(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, a):
        self.steps += 1
        if self.training:
            return a * 2
        return a


@module(x(2, 3))
class NoneParameter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_parameter("bias", None)
        self.register_buffer("mask", None)
        self.sub = None

    def forward(self, a):
        if self.bias is not None:
            a = a + self.bias
        if self.sub is None:
            a = a + 1
        return a


@module(x(2, 3))
class HasAttr(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner(2)

    def forward(self, a):
        if hasattr(self, "missing"):
            a = self.missing(a)
        if hasattr(self, "inner"):
            a = self.inner(a)
        return a


@module(x(2, 3))
class StaticMethods(nn.Module):
    @staticmethod
    def double(a):
        return a * 2

    def forward(self, a):
        return self.double(a)


def free_function(a):
    return a + 5


@module(x(2, 3))
class FunctionAttributes(nn.Module):
    def __init__(self):
        super().__init__()
        self.fn = free_function
        self.act = torch.relu
        self.act2 = F.relu

    def forward(self, a):
        return self.fn(self.act(a)) + self.act2(a)


@module(x(2, 3))
class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner(2)

        def pre(self, input: Tuple[Tensor]) -> Tuple[Tensor]:
            return (input[0] + 1,)

        def post(self, input: Tuple[Tensor], output: Tensor) -> Tensor:
            return output * 2

        self.inner.register_forward_pre_hook(pre)
        self.inner.register_forward_hook(post)

    def forward(self, a):
        return self.inner(a)


@torch.jit.interface
class Block(nn.Module):
    def forward(self, a: Tensor) -> Tensor:
        pass


@module(x(2, 3))
class Interfaces(nn.Module):
    block: Block

    def __init__(self):
        super().__init__()
        self.block = Inner(2)

    def forward(self, a):
        return self.block.forward(a)


@module(x(2, 3), 3)
class Overloads(nn.Module):
    @torch.jit._overload_method  # noqa: F811
    def scaled(self, a: int) -> int:  # noqa: F811
        pass

    @torch.jit._overload_method  # noqa: F811
    def scaled(self, a: Tensor) -> Tensor:  # noqa: F811
        pass

    def scaled(self, a):  # noqa: F811
        return a * 2

    def forward(self, a, n: int):
        return self.scaled(a) + self.scaled(n)


@torch.jit._overload  # noqa: F811
def either(a: int) -> int:
    pass


@torch.jit._overload  # noqa: F811
def either(a: Tensor) -> Tensor:  # noqa: F811
    pass


def either(a):  # noqa: F811
    return a + 1


@case(x(2), 3)
def calls_overloads(a, n: int):
    return either(a), either(n)


@module(x(2, 3))
class NamedModules(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Inner(1)
        self.two = nn.Sequential(Inner(2))

    def forward(self, a):
        names: List[str] = []
        for name, m in self.named_children():
            names.append(name)
            a = m(a)
        return a, names


@module(x(2, 3))
class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Inner(1)
        self.same = self.one
        self.other = Inner(2)

    def forward(self, a):
        return self.one(a) + self.same(a) + self.other(a)


@module(x(2, 4))
class Linears(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 3)
        self.norm = nn.LayerNorm(3)
        self.drop = nn.Dropout(0.5)
        with torch.no_grad():
            self.one.weight.copy_(x(3, 4))
            self.one.bias.copy_(x(3))
        self.eval()

    def forward(self, a):
        return self.drop(torch.relu(self.norm(self.one(a))))


@module(x(1, 2, 5, 5))
class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.pool = nn.MaxPool2d(2)
        self.mean = nn.AdaptiveAvgPool2d((1, 1))
        with torch.no_grad():
            self.conv.weight.copy_(x(3, 2, 3, 3))
            self.conv.bias.copy_(x(3))
        self.eval()

    def forward(self, a):
        a = self.pool(F.relu(self.norm(self.conv(a))))
        return torch.flatten(self.mean(a), 1)


@module(x(2, 3))
class BadAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.thing = object()

    def forward(self, a):
        return a + self.thing


@module(x(2, 3))
class UnusedBadAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.thing = object()
        self.empty = []

    def forward(self, a):
        return a


@module(x(2, 3))
class BadMissing(nn.Module):
    def forward(self, a):
        return self.nothing(a)


@module(x(2, 3))
class BadNewAttribute(nn.Module):
    def forward(self, a):
        self.made = a
        return a


@module(x(2, 3))
class BadConstant(nn.Module):
    __constants__ = ["table"]

    def __init__(self):
        super().__init__()
        self.table = {"a": 1}

    def forward(self, a):
        return a


@module(x(2, 3))
class BadIndex(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Inner(1), Inner(2)])

    def forward(self, a, n: int = 0):
        return self.layers[n](a)


@module(x(2, 3))
class Inherited(Calls):
    def other(self, a):
        return a - 1

    def forward(self, a):
        return super().forward(a)


@module(x(2, 3))
class KeywordCalls(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner(2)

    def step(self, a, scale: float = 2.0, *, shift: int):
        return a * scale + shift

    def forward(self, a):
        return self.step(self.inner(a=a), shift=3)


def plain(value):
    if isinstance(value, torch.Tensor):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": plain(value.detach().tolist())}
    if isinstance(value, float):
        return repr(round(value, 4))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return str(value)


def run(make, args, kwargs):
    try:
        made = make()
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}
    out = {"graph": str(made.graph), "code": made.code}
    try:
        out["result"] = plain(made(*args, **kwargs))
    except Exception as error:
        out["raised"] = f"{type(error).__name__}: {error}"
    return out


def main():
    import warnings
    warnings.simplefilter("ignore")
    if len(sys.argv) > 1:
        out = run(*CASES[sys.argv[1]])
        for key, value in out.items():
            print(f"--- {key}\n{value}")
        return
    print(json.dumps({name: run(*each) for name, each in CASES.items()}))


if __name__ == "__main__":
    main()
