"""Functions for script_test.py: what they use from outside, classes, and what has to be refused."""

import enum
import os
from typing import List, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from script_harness import CASES, case, x


@case(x(2, 3))
def functional(a):
    return F.relu(a), F.softmax(a, dim=1), torch.nn.functional.gelu(a)


@case(x(1, 1, 2, 2))
def former_names_of_interpolate(a):
    return (F.upsample(a, size=[3, 3], mode="bilinear", align_corners=True), F.upsample(a, scale_factor=2.0),
            F.upsample_nearest(a, size=[4, 4]), F.upsample_bilinear(a, scale_factor=2.0))


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


@case(x(2, 3))
def named_parts(a):
    with torch.profiler.record_function("scale"):
        b = a * 2
    with torch.autograd.profiler.record_function("shift", "by one"):
        return b + 1


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
