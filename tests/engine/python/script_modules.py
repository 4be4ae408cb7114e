"""Modules for script_test.py."""

from collections import OrderedDict
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from script_harness import case, module, x


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


class Gated(nn.Module):
    def forward(self, a):
        return a * torch.sigmoid(a)


class GatedTwice(Gated):
    pass


@module(x(2, 3))
class AsksForClassesOfModules(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([Gated(), GatedTwice(), nn.Identity()])

    def forward(self, a):
        if isinstance(self.steps[0], Gated):
            a = a + 1
        if isinstance(self.steps[1], Gated):  # Another type to the compiler, which knows no base classes.
            a = a + 10
        if isinstance(a, nn.Identity):
            a = a + 100
        last = self.steps[2]
        if isinstance(last, (Gated, nn.Identity)):
            a = last(a) * 2
        for step in self.steps:
            if not isinstance(step, nn.Identity):
                a = step(a)
        return a


@module(x(2, 3))
class AsksForAClassThatNobodyMade(nn.Module):
    def forward(self, a):
        return a if isinstance(a, nn.Bilinear) else a + 1
