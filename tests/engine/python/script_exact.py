"""Functions and modules for script_test.py that show which numbers values get: returns from the middle of a function,
f-strings, lists that nobody reads, parameters in lists and dicts."""

from typing import Dict, List, Optional

import torch

from script_harness import case, module, x


@case(x(3, 4))
def undeclared_parameter_returned(a):
    if a.sum() > 0:
        return a.flip(0)
    return a


@case(x(3, 4))
def declared_parameter_returned(a: torch.Tensor):
    if a.sum() > 0:
        return a.flip(0)
    return a


@case(x(3, 4))
def lists_of_two_kinds_returned(a) -> List[torch.Tensor]:
    if a.sum() > 0:
        return [a]
    return a.split(1)


@case(x(3, 4))
def pairs_returned(a):
    if a.sum() > 0:
        return a, a
    return a + 1, a


@case(x(3, 4))
def returned_from_a_loop(a):
    for i in range(3):
        if a.sum() > i:
            return a.size()
        if a.mean() > 0:
            break
        a = a * 2
    return [1]


@case(x(3, 4))
def narrowed_parameter_returned(a):
    if isinstance(a, torch.Tensor):
        a = a
    if a.sum() > 0:
        return a.flip(0)
    return a


@case(x(3, 4))
def perhaps_nothing_returned(a, b: Optional[torch.Tensor] = None):
    if b is not None:
        if a.sum() > 0:
            return b
    return a


@case(x(3, 4))
def negative_numbers_in_texts(a):
    text = f"{a.shape[-1]} of {a.shape[-2]}, {-1} and {a.dim() - 1}"
    if a.shape[-1] > 5:
        raise ValueError(f"{ {'}': -a.dim()}['}'] }: {text}")
    return text, a.shape[-1]


@case(x(3, 4))
def members(a):
    known = [1, 2]
    n = a.dim()
    if n not in known:
        known.append(n)
    while n in known and n not in [7]:
        n += 1
    return known, 2 if n not in known else 5


@case(x(3, 4))
def texts_over_two_lines(a):
    return (f"{a.dim()} dimensions "
            f"and {(a.numel(), -2)} elements"), "{{}}".format(a.dim())


@case([{"a": x(2)}, {"a": x(2)}])
def collected_and_forgotten(rows: List[Dict[str, torch.Tensor]]):
    kept = [row["a"] for row in rows]
    inner: List[List[torch.Tensor]] = []
    inner.append(kept)
    return rows


@case([x(2), x(2)])
def collected_and_read(tensors: List[torch.Tensor]):
    kept: List[torch.Tensor] = []
    forgotten: List[torch.Tensor] = []
    for i in range(len(tensors)):
        kept.append(tensors[i] + 1)
        forgotten.append(tensors[i])
    kept[0].add_(1)
    return kept


@case([x(2), x(2)])
def written_through_a_list(tensors: List[torch.Tensor]):
    fresh = tensors[0] + 1
    held = {"a": [fresh]}
    held["a"][0].mul_(2)
    return fresh


@module(x(2, 4))
class ListOfParameters(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = torch.nn.ParameterList([torch.nn.Parameter(x(4)), torch.nn.Parameter(x(4) + 1)])

    def forward(self, a):
        for i, scale in enumerate(self.scales):
            a = a * scale + i
        return [a + scale for scale in self.scales]


@module(x(2, 4))
class DictOfParameters(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = torch.nn.ParameterDict({"one": torch.nn.Parameter(x(4)), "two": torch.nn.Parameter(x(4) + 1)})

    def forward(self, a):
        return a * self.scales["one"] + self.scales["two"]


@module([x(2)])
class Head(torch.nn.Module):
    def has_mask(self):
        return False

    def forward(self, tensors: List[torch.Tensor], labels: Optional[List[torch.Tensor]] = None):
        found: List[Dict[str, torch.Tensor]] = []
        for tensor in tensors:
            found.append({"boxes": tensor})
        if self.has_mask():
            masks = [each["boxes"] for each in found]
            if self.training:
                assert labels is not None
                masks = []
                for i in range(len(tensors)):
                    masks.append(tensors[i][labels[i] > 0])
            raise ValueError("there are no masks")
        return found



@module(x(3, 4))
class SaysHowToWriteAValue(torch.nn.Module):
    def forward(self, a):
        return f"{a.dim():3}"


@module(x(3, 4))
class SaysHowToConvertAValue(torch.nn.Module):
    def forward(self, a):
        return f"{a.dim()!r}"
