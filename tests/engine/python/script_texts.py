"""Cases for script_cases.py: programs given as texts, modules written for the compiler, functions from
archives, and what errors say."""

import io
from typing import List, Optional, Tuple

import torch
from script_harness import CASES, case, x


def reloaded(made):
    archive = io.BytesIO()
    torch.jit.save(made, archive)
    archive.seek(0)
    return torch.jit.load(archive)


def text(name, source, *args):
    CASES[name] = (lambda: getattr(torch.jit.CompilationUnit(source), "f"), args, {})


text("text_calls", "def f(a):\n    return a * SCALE(a)\n", x(3))
text("text_type_without_result", "def f(n):\n    # type: (int)\n    return n * 2 + 1\n", 4)
text("text_ellipsis", "def f(a):\n    return a[1, Ellipsis, 0]\n", x(2, 3, 4))
text("text_tuples_added", "def f(a, n: int):\n    return (a, n) + (n, a) + (1.5,)\n", x(2), 3)


@torch.jit.script
def SCALE(a):
    return a.sum() + 2


@case(x(2, 3))
def tuple_as_index(a):
    return a[(1, 2)] + a[(0,)]


@case(1, 2)
def comments_of_parameters(a,  # type: int
                           b  # type: int
                           ):
    # type: (...) -> int
    # type: int
    return a - b


def optional_in_a_loop(values: List[int], first: Optional[List[int]] = None) -> List[int]:
    found = torch.jit.annotate(List[int], [])
    for i in range(len(values)):
        found.append(values[i] * (first[i] if first is not None else 1))
    return found


CASES["optional_in_a_loop"] = (lambda: torch.jit.script(optional_in_a_loop), ([1, 2], [3, 4]), {})
CASES["reloaded_loop"] = (lambda: reloaded(torch.jit.script(optional_in_a_loop)), ([1, 2], [3, 4]), {})


class Written(torch.jit.ScriptModule):
    __constants__ = ["power"]

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(x(3, 3))
        self.inner = torch.nn.Linear(3, 3)
        with torch.no_grad():
            for parameter in self.inner.parameters():
                parameter.fill_(0.5)
        self.power = 2
        self.number = torch.jit.Attribute(1, int)
        self.define("def twice(self, a):\n    return a * 2 + self.number\n")

    @torch.jit.script_method
    def forward(self, a):
        return self.inner(self.twice(a) @ self.weight) ** self.power


class Holds(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.written = Written()

    @torch.jit.script_method
    def forward(self, a):
        return self.written(a) + self.written.twice(a)


def defined_later():
    made = torch.jit.ScriptModule()
    made.define("def forward(self, a):\n    return self.half(a) + 1\n\ndef half(self, a):\n    return a / 2\n")
    return made


CASES["defined_later"] = (defined_later, (x(2, 3),), {})
CASES["written_module"] = (Written, (x(2, 3),), {})
CASES["written_module_below"] = (Holds, (x(2, 3),), {})

# Words that programs look for in messages: name -> (words, how the error comes about).
SAYS = {}


def says(words, source, *args):
    SAYS[f"{len(SAYS)}: {words}"] = (words, lambda: torch.jit.CompilationUnit(source).f(*args))


says("undefined value b", "def f(a):\n    return b\n", 1)
says("c is not defined in the false branch", "def f(a):\n    if bool(a):\n        c = 1\n    return c\n", 1)
says("set to type int in the true branch and type float in the false branch",
     "def f(a):\n    if bool(a):\n        c = 1\n    else:\n        c = 1.5\n    return c\n", 1)
says("previously had type int", "def f(a):\n    c = 1\n    if bool(a):\n        c = 1.5\n    return c\n", 1)
says("'int' object is not iterable", "def f(a: int):\n    for i in a:\n        print(i)\n", 1)
says("'int' object is not subscriptable", "def f(a: int):\n    return a[0]\n", 1)
says("object has no attribute or method", "def f(a):\n    return a.nothing()\n", 1)
says("cannot be used as a tuple", "def f(a):\n    b, c = a\n    return b\n", 1)
says("too many values to unpack: need 2 but found 3", "def f(a):\n    b, c = a, a, a\n    return b\n", 1)
says("Arguments for call are not valid", "def f(a):\n    return torch.sum(a, 'x')\n", 1)
says("Argument b not provided", "def f(a):\n    return g(a)\n\ndef g(a, b):\n    return a\n", 1)
says("Expected at most 1 arguments but found 2", "def f(a):\n    return g(a, a)\n\ndef g(a):\n    return a\n", 1)
says("for argument 'n' but instead found type 'Tensor", "def f(a):\n    return g(a)\n\ndef g(n: str):\n    return n\n", 1)
says("does not return along all paths", "def f(a) -> int:\n    if bool(a):\n        return 1\n", 1)
says("but is actually of type", "def f(a) -> int:\n    return 'a'\n", 1)
says("Could not cast value of type Tuple[Tensor, Tensor]", "def f(a):\n    if (a, a):\n        return a\n    return a\n", 1)
says("Unknown type name 'Foo'", "def f(a: Foo):\n    return a\n", 1)
says("did not match the number of function parameters", "def f(a):\n    # type: (int, int) -> int\n    return a\n", 1)
says("out of range", "def f(a: Tuple[int, int]):\n    return a[2]\n", (1, 2))
says("failed in the TorchScript interpreter", "def f(a):\n    return a.reshape(7)\n", x(2))


def refusals():
    found = {}
    for name, (words, provoke) in SAYS.items():
        try:
            provoke()
        except RuntimeError as error:
            found[name] = words if words in str(error) else str(error)
    return found


def largest(a, n: int):
    """Results of operators that have names."""
    found = a.max(0)
    if n > 0:
        found = a.max(1)
    return found, [a.sort(0)], found.values


def results_of_reloaded():
    """A traced function, a module and a function, from the archives that they make."""
    traced = torch.jit.trace(lambda a: a * 2 + a.sum(), (x(3),))
    found = reloaded(torch.jit.script(largest))
    (values, indices), sorts, again = found(x(2, 3), 1)
    return [reloaded(traced)(x(2)).tolist(), reloaded(Holds())(x(2, 3)).tolist(), found.code,
            [each.tolist() for each in (values, indices, *sorts[0], again)]]


def program_raises():
    """torch.jit.Error is what a program raises by itself."""
    unit = torch.jit.CompilationUnit("def f(n: int):\n    if n > 0:\n        raise ValueError('too many')\n    return n\n")
    try:
        unit.f(1)
    except torch.jit.Error as error:
        return [isinstance(error, RuntimeError), "too many" in str(error)]
