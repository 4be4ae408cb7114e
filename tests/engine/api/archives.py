"""Makes archives with PyTorch for the tests beside this file, and checks archives that assay wrote.

make DIR:  for each model NAME: DIR/NAME.pt, DIR/NAME.case.pt (a module that holds the inputs and the
           expected output), DIR/NAME.code (PyTorch's text of the forward method). Of the model
           `heavy` also DIR/heavy.written.case.pt: the output after `write`.
check DIR: for each DIR/NAME.assay.pt: it loads, gives the expected output and has the same code.
random DIR: the archives of random programs in DIR give the results beside them, as assay wrote them
           and as they were before.
"""
import enum
import pathlib
import sys
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import nn, Tensor


class Mood(enum.Enum):
    CALM = 1
    LOUD = 2


class Pair(NamedTuple):
    left: Tensor
    right: Tensor


@torch.jit.script
class Counter(object):
    def __init__(self, start: int):
        self.count = start

    def next(self) -> int:
        self.count += 1
        return self.count


class Attributes(nn.Module):
    """Attributes of many types, a shared storage, a default argument."""

    empty: List[int]

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.numbers = {"one": 1, "two": 2}
        self.names = ["x", "y"]
        self.mixed = (1, 2.5, "z")
        self.empty = []
        self.maybe = torch.jit.Attribute(None, Optional[List[int]])
        self.mood = Mood.LOUD
        whole = torch.arange(12.0)
        self.register_buffer("whole", whole)
        self.register_buffer("part", whole[3:6])

    def forward(self, x, scale: float = 2.0):
        y = self.linear(x) * scale + self.numbers["two"]
        if self.mood == Mood.LOUD:
            y = y + self.part.sum()
        return y, len(self.names), self.mixed[1], self.empty


class Flow(nn.Module):
    """Loops with and without conditions, branches, a class, a named tuple, forks, a part named for a profiler."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x):
        total = 0
        counter = Counter(0)
        for i in range(5):
            if i == 3:
                break
            total += counter.next()
        while total > 4:
            total -= 1
            x = x + 1
        for layer in self.layers:
            x = layer(x)
        pair = Pair(x, x * 2)
        values = [float(v) for v in range(3)]
        future = torch.jit.fork(torch.neg, pair.right)
        table: Dict[str, List[float]] = {"a": values}
        found: Optional[Tensor] = None
        if total > 3:
            found = pair.left
        if found is not None:
            x = found + 1
        text = "{} of {}".format(total, 5)
        assert total < 100, "too many"
        with torch.profiler.record_function("wait"):
            negative = torch.jit.wait(future)
        return x, negative, table, text, pair


class State(nn.Module):
    """State that goes through __getstate__ and __setstate__."""

    def __init__(self):
        super().__init__()
        self.factor = torch.tensor([3.0])

    @torch.jit.export
    def __getstate__(self):
        return (self.factor * 10, self.training)

    @torch.jit.export
    def __setstate__(self, state: Tuple[Tensor, bool]):
        self.factor = state[0] / 10
        self.training = state[1]

    def forward(self, x):
        return x * self.factor


class Traced(nn.Module):
    """Constants of a trace: tensors, a device, a dtype; a part named for a profiler."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.weight = torch.randn(3, 1, 1)

    def forward(self, x):
        with torch.profiler.record_function("layers"):
            y = torch.relu(self.norm(self.conv(x))) * self.weight
        y = y + torch.arange(3, dtype=torch.float32)[:, None, None]
        return y.flatten(1), {"sum": y.sum(dim=(2, 3))}


class Collects(nn.Module):
    """Branches on constants and ranks, a list that grows, a dictionary that is filled."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.names = ["a", "b"]
        self.norm.running_mean.normal_()
        self.norm.running_var.uniform_(0.5, 1.5)

    def forward(self, x):
        parts = [x]
        y = self.norm(self.conv(x))
        if x.dim() == 4:
            parts.append(torch.relu_(y))
        else:
            raise ValueError("no images")
        found: Dict[str, Tensor] = {}
        if "b" in self.names:
            found["joined"] = torch.cat(parts, 1)
        return found


class Heavy(nn.Module):
    """Weights of many pages, which are packed: with and without a normalization folded in."""

    def __init__(self):
        super().__init__()
        self.wide = nn.Conv2d(128, 512, 3, bias=False)
        self.norm = nn.BatchNorm2d(512)
        self.narrow = nn.Conv2d(512, 256, 1)
        self.head = nn.Linear(1024, 256)
        self.norm.running_mean.normal_()
        self.norm.running_var.uniform_(0.5, 1.5)

    def forward(self, x):
        y = self.narrow(torch.relu(self.norm(self.wide(x))))
        return self.head(y.flatten(1))


def write(heavy):
    """Some rows of each weight."""
    for layer in (heavy.wide, heavy.narrow, heavy.head):
        layer.weight[3].mul_(-2)
        layer.weight[200].mul_(-2)


class Case(nn.Module):
    def __init__(self, inputs, expected):
        super().__init__()
        self.inputs = inputs
        self.expected = expected

    def forward(self):
        return self.inputs


def models():
    torch.manual_seed(0)
    x = torch.randn(2, 3)
    image = torch.randn(1, 2, 5, 5)
    yield "attributes", torch.jit.script(Attributes()), (x,)
    yield "flow", torch.jit.script(Flow()), (x,)
    yield "state", torch.jit.script(State()), (x,)
    traced = Traced().eval()
    yield "collects", torch.jit.script(Collects().eval()), (image,)
    yield "traced", torch.jit.trace(traced, image, strict=False), (image,)
    yield "heavy", torch.jit.script(Heavy().eval()), (torch.randn(1, 128, 4, 4),)


def leaves(value):
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return []


def make(folder):
    for name, model, inputs in models():
        expected = leaves(model(*inputs))
        model.save(str(folder / (name + ".pt")))
        (folder / (name + ".code")).write_text(torch.jit.load(str(folder / (name + ".pt"))).code)
        torch.jit.script(Case(list(inputs), expected)).save(str(folder / (name + ".case.pt")))
        if name == "heavy":
            with torch.no_grad():
                write(model)
                written = Case(list(inputs), leaves(model(*inputs)))
            torch.jit.script(written).save(str(folder / "heavy.written.case.pt"))


def check(folder):
    for path in sorted(folder.glob("*.assay.pt")):
        name = path.name[: -len(".assay.pt")]
        model = torch.jit.load(str(path))
        case = torch.jit.load(str(folder / (name + ".case.pt")))
        got = leaves(model(*case.inputs))
        assert len(got) == len(case.expected), name
        for one, other in zip(got, case.expected):
            torch.testing.assert_close(one, other)
        assert model.code == (folder / (name + ".code")).read_text(), model.code
        print("good:", name)


def check_random(folder):
    x = torch.arange(6.0).reshape(2, 3) / 4
    originals = sorted(folder.glob("*.original.pt"))
    assert originals
    for path in originals:
        stem = path.name[: -len(".original.pt")]
        expected = torch.tensor([float(t) for t in (folder / (stem + ".txt")).read_text().split()])
        written = torch.jit.load(str(folder / (stem + ".assay.pt")))
        original = torch.jit.load(str(path))
        for model in (original, written):
            torch.testing.assert_close(model(x).flatten(), expected, msg=lambda m: stem + ": " + m)
        assert original.code == (folder / (stem + ".code")).read_text(), stem
        # PyTorch's own writing may change the text of the code, too.
        original.save(str(folder / (stem + ".again.pt")))
        again = torch.jit.load(str(folder / (stem + ".again.pt")))
        assert written.code == again.code, stem
        for name in ("k", "s", "name", "sizes", "table", "maybe", "training"):
            assert getattr(written, name) == getattr(original, name), (stem, name)
        assert torch.equal(written.w, original.w) and written.pair[0] == original.pair[0], stem


if __name__ == "__main__":
    torch.set_num_threads(1)
    {"make": make, "check": check, "random": check_random}[sys.argv[1]](pathlib.Path(sys.argv[2]))
