"""Cases for script_cases.py: what calls may leave out, give once for several, or give more of than is declared; static
methods, ignored properties, and types that only comments name."""

from typing import Dict, List, NamedTuple, Optional, Tuple, Union

import torch
from torch.jit.annotations import BroadcastingList2, BroadcastingList3  # noqa: F401  (comments name them)

from script_harness import CASES, case, module, x


class Window(NamedTuple):
    size: int
    step: Optional[int] = None
    scale: float = 0.5


@case(3)
def named_tuple_without_its_defaults(n: int):
    window = Window(n)
    step = window.step
    return window.size, n if step is None else step, window.scale


@case(3)
def named_tuple_with_some_defaults(n: int):
    window = Window(n, scale=2.)
    return window.scale * n, Window(step=n, size=1).step


class Offset(NamedTuple):
    by: torch.Tensor = torch.ones(2)


@case(x(2))
def bad_tensor_as_default(a):
    return Offset().by + a


@torch.jit.ignore
def rest_of_them(a, *more):
    return more[-1] * len(more) if more else a


@case(x(2), x(3))
def calls_with_more_and_more(a, b):
    return rest_of_them(a), rest_of_them(a, b), rest_of_them(a, b, b + 1)


@torch.jit.ignore
def says_too_little(a) -> int:
    return a, a


@case(x(2))
def raised_by_a_wrong_result(a):
    return says_too_little(a)


def repeated(n, by):
    # type: (int, BroadcastingList3[float]) -> List[float]
    return [each * n for each in by]


CASES["one_float_for_three"] = (lambda: torch.jit.script(repeated), (2, 1.5), {})
CASES["three_floats_for_three"] = (lambda: torch.jit.script(repeated), (2, [1.5, 2., 3.]), {})


@case(4)
def one_int_for_two(by: BroadcastingList2[int]):
    return by


@case(1.5)
def bad_float_for_ints(by: BroadcastingList2[int]):
    return by


class Halves(torch.nn.Module):
    @staticmethod
    def half(a):
        return a / 2

    @staticmethod
    def half_of_all(values: List[float]):
        return [value / 2 for value in values]

    def forward(self, a):
        return Halves.half(a)


CASES["static_method_by_its_class"] = (lambda: torch.jit.script(Halves()), (x(3),), {})


@module(x(3))
class StaticMethodsOfAnother(torch.nn.Module):
    def forward(self, a):
        return Halves.half(a) + 1, Halves.half_of_all([1., 2.])


@module(x(3))
class IgnoredProperties(torch.nn.Module):
    __jit_ignored_attributes__ = ["costly", "cheap"]

    @property
    def costly(self):
        raise ValueError("nobody needs it")

    @property
    def cheap(self):
        return 1

    def forward(self, a):
        return a + 1


def numbers_of_any_kind(a: Union[int, float, complex], b: Union[complex, int, float]):
    return a + b


CASES["union_of_all_numbers"] = (lambda: torch.jit.script(numbers_of_any_kind), (2, 1.5), {})


@case(2)
def bad_undeclared_number(n: int):
    return undeclared(n)


@torch.jit.script
def undeclared(a):
    return a * 2


@case(x(3), x(1))
def bad_undeclared_dimension(a, dim):
    return a.sum(dim)


CASES["bad_loop_over_two"] = (lambda: torch.jit.CompilationUnit("def f(a):\n    for i in [1], [2]:\n        a = a + i\n"
                                                                "    return a\n").f, (x(2),), {})
CASES["loop_over_a_tuple"] = (lambda: torch.jit.CompilationUnit("def f(a):\n    for i in (1, 2):\n        a = a + i\n"
                                                                "    return a\n").f, (x(2),), {})
CASES["bad_star_of_a_loop"] = (lambda: torch.jit.CompilationUnit("def f(a):\n    for *i in [1, 2]:\n        a = a + 1\n"
                                                                 "    return a\n").f, (x(2),), {})


def classes_that_only_comments_name():
    @torch.jit.script
    class Counter:
        def __init__(self, n: int):
            self.n = n

    @torch.jit.script
    class Other:
        def __init__(self, n: int):
            self.n = n

        def more_than(self, other):
            # type: (Counter) -> bool
            return self.n > other.n

    @torch.jit.script
    def compare(n: int):
        return Other(n).more_than(Counter(2))

    return compare


CASES["a_type_in_a_comment"] = (classes_that_only_comments_name, (3,), {})


Pairs = List[Tuple[str, int]]
Maybe = Optional[Union[int, float]]
Table = Dict[str, List[int]]


@case([("a", 2), ("b", 3)], 4, {"c": [1, 2]})
def types_by_other_names(pairs: Pairs, more: Maybe, table: Table) -> Pairs:
    total = 0 if more is None else int(more)
    for name, number in pairs:
        total += number + len(name)
    return [("total", total), ("table", len(table["c"]))]
