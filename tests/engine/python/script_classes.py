"""Cases of script_cases.py: classes, and what Python sees of compiled programs (graphs, shared lists, warnings)."""

import io
import math
import re
import warnings
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor
from script_harness import CASES, case, module, x


class Account:
    def __init__(self, start: int):
        self.held = start

    @property
    def total(self) -> int:
        return self.held + 1

    @total.setter
    def total(self, value: int):
        self.held = value - 1

    @classmethod
    def opened(cls, start: int) -> "Account":
        return cls(start * 2)

    @staticmethod
    def fee(n: int) -> int:
        return n // 10

    @torch.jit.unused
    def report(self, title, *lines) -> str:
        return title + "".join(lines)


@case(30)
def property_of_a_class(n: int):
    account = Account(n)
    account.total = account.total + 5
    return account.total, account.held, Account.fee(n), account.opened(n).held


@torch.jit.script
@dataclass(order=True)
class Version:
    major: int
    minor: int = 3
    label: Optional[str] = None


@case(1, 5)
def dataclass_compared(a: int, b: int):
    one, other = Version(a), Version(a, b)
    return one == other, one < other, one >= other, one == Version(a, 3), one.minor


class Pair:
    def __init__(self, a: int):
        self.a = a

    def doubled(self) -> int:
        return self.a * 2


@module(x(2))
class HoldsAnObject(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = Pair(4)

    def forward(self, t):
        return t * self.pair.doubled(), getattr(self, "absent", 3)


@torch.jit.unused
def _sum_of(values):
    # type: (List[int]) -> int
    return sum(values)


@case([1, 2], True)
def types_in_a_comment(values: List[int], skip: bool):
    return 0 if skip else _sum_of(values)


@case("12", "1.5")
def numbers_of_texts(a: str, b: str):
    return int(a), float(b), hash((1, None)) == hash((1, None))


@case("12 ")
def bad_number_of_a_text(a: str):
    return int(a)


@case(0, -2)
def bad_power(a: int, b: int):
    return a ** b


@case()
def older_constructors():
    return torch.FloatTensor([1.5, 2.]), torch.LongTensor(2, 0), math.inf


@case(torch.tensor([5, 7]), torch.tensor([3, 2]))
def method_without_self(values, repeats):
    return values.repeat_interleave(repeats)


@case(["a", "b"], [1, 2])
def dict_of_pairs(keys: List[str], values: List[int]):
    return dict(zip(keys, values))


@torch.jit.interface
class Step(torch.nn.Module):
    def forward(self, t: Tensor) -> Tensor:
        pass


class Doubles(torch.nn.Module):
    def forward(self, t: Tensor) -> Tensor:
        return t * 2


class Counts(torch.nn.Module):
    def forward(self, n: int) -> int:
        return n


@module(x(2), -1)
class ChosenWhenItRuns(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = torch.nn.ModuleList([Doubles(), Doubles()])

    def forward(self, t, which: int):
        step: Step = self.steps[which]
        return step.forward(t)


@module(x(2), 1)
class TheSecondIsChosen(ChosenWhenItRuns):
    pass


def _hooked(hook):
    made = Doubles()
    made.register_forward_hook(hook)
    return made


def _hook_of_numbers(self, taken: Tuple[int], given: Tensor):
    return given


def _hook_that_fits(self, taken: Tuple[Tensor], given: Tensor):
    return given + taken[0]


CASES["bad_hook"] = (lambda: torch.jit.script(_hooked(_hook_of_numbers)), (x(2),), {})
CASES["hook_that_fits"] = (lambda: torch.jit.script(_hooked(_hook_that_fits)), (x(2),), {})


class Holds(torch.nn.Module):
    def __init__(self, step):
        super().__init__()
        self.step = step

    def forward(self, t: Tensor) -> Tensor:
        return self.step(t) + 1


class HoldsAnyStep(Holds):
    step: Step


def loaded_as_a_part():
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(Holds(torch.nn.Linear(2, 1))), buffer)
    buffer.seek(0)
    loaded = torch.jit.load(buffer)
    whole = torch.jit.script(Holds(loaded))
    with torch.no_grad():
        loaded.step.weight.fill_(2)
        loaded.step.bias.fill_(1)
    again = io.BytesIO()
    torch.jit.save(whole, again)
    again.seek(0)
    return [whole(x(1, 2)).tolist(), torch.jit.load(again)(x(1, 2)).tolist(), loaded(x(1, 2)).tolist()]


def what_implements_an_interface():
    made = torch.jit.script(HoldsAnyStep(Doubles()))
    made.step = torch.jit.script(Doubles())
    told = []
    for wrong in (torch.jit.script(Counts()), Doubles()):
        try:
            made.step = wrong
        except Exception as error:
            told.append(type(error).__name__)
    return [made(x(2)), told]


class Constant(torch.nn.Module):
    __constants__ = ["width", "names"]

    def __init__(self):
        super().__init__()
        self.width, self.names = 3, ("a", "b")

    def forward(self, t):
        return t * self.width


def constants_from_outside():
    made = torch.jit.script(Constant())
    buffer = io.BytesIO()
    torch.jit.save(made, buffer)
    buffer.seek(0)
    return [made.width, torch.jit.load(buffer).width]


def graph_as_an_object():
    @torch.jit.script
    def walked(t, n: int):
        for i in range(n):
            if i > 2:
                t = t + i
        return t * 2, [t]

    graph = walked.graph
    kinds = [node.kind() for node in graph.nodes()]
    loop = graph.findNode("prim::Loop")
    body = next(loop.blocks())
    multiplied = graph.findNode("aten::mul")
    two = list(multiplied.inputs())[1]
    outputs = [output.type() for output in graph.outputs()]
    return [kinds, len(graph.findAllNodes("aten::add")), graph.findNode("aten::sub") is None,
            [value.type().str() for value in graph.inputs()], [value.type().kind() for value in graph.inputs()],
            [node.kind() for node in body.nodes()], len(list(body.inputs())), loop.findNode("aten::add").inputsSize(),
            two.toIValue(), two.node().kind(), two.node().attributeNames(), two.node().kindOf("value"), two.node().i("value"),
            multiplied.schema().partition("(")[0], [(use.user.kind(), use.offset) for use in two.uses()],
            [(part.kind(), part.annotation_str) for part in outputs[0].elements()], walked.graph is walked.graph]


def graphs_without_shapes():
    """As who compares traces made at other sizes looks at them."""
    def told(sizes):
        traced = torch.jit.trace(lambda t: (t.relu() * 2, t.sum(0)), x(*sizes))
        graph = traced.inlined_graph.copy()
        torch._C._jit_pass_erase_shape_information(graph)
        return [re.sub(r" #.*", "", str(graph)), "strides" in str(traced.graph)]

    return [told((2, 3)), told((2, 3)) == told((4, 1))]


def lists_that_are_shared():
    @torch.jit.script
    def changes(values: List[int], names: Dict[str, int]):
        values.append(len(names))
        names["new"] = values[0]

    values, names = torch.jit.script([4, 5]), torch.jit.script({"a": 1})
    changes(values, names)
    values.extend([7])
    told = []
    for wrong in (lambda: values.append("text"), lambda: values[9], lambda: names["none"], lambda: names.__setitem__("a", "b")):
        try:
            wrong()
        except Exception as error:
            told.append(type(error).__name__)
    return [repr(values), sorted(names.items()), len(names), 5 in values, told]


def _warned(function, *arguments):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        function(*arguments)
    return [(str(each.message), each.category.__name__) for each in seen]


def warnings_of_programs():
    @torch.jit.script
    def warns(n: int):
        for i in range(n):
            warnings.warn("in a loop")
        warnings.warn("behind it", stacklevel=2)

    return [_warned(warns, 3), _warned(warns, 0)]


def tensors_in_a_trace():
    def f(d: Dict[str, Tensor]):
        return d["a"] * 2, torch.FloatTensor([1.])

    traced = torch.jit.trace(f, {"a": x(2)})
    sizes = torch.jit.trace(lambda t: t.view(-1).add(1), x(2, 3), check_inputs=[(x(4, 5),)])
    return [traced({"a": x(3)})[0], sizes(x(5)), traced.graph.findNode("aten::mul") is not None]


def names_of_operators():
    class Net(torch.nn.Module):
        def forward(self, t):
            return t + t

    return torch.jit.export_opnames(torch.jit.script(Net()))


BEHAVIOURS = [constants_from_outside, graph_as_an_object, graphs_without_shapes, lists_that_are_shared,
              warnings_of_programs, tensors_in_a_trace, names_of_operators, loaded_as_a_part, what_implements_an_interface]
assert CASES
