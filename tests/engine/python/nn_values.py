"""Evaluates the rows of nn_rows.py with one torch and writes what they give as plain values.

Usage: nn_values.py MODULE OUTPUT, where MODULE is `torch` or `assay.torch`.
"""
import importlib
import json
import math
import re
import sys
import warnings
from collections import OrderedDict

import nn_behaviours
import nn_rows

warnings.simplefilter("ignore")
torch = importlib.import_module(sys.argv[1])
nn, F = torch.nn, torch.nn.functional


class Symmetric(nn.Module):
    def forward(self, weight):
        return weight.triu() + weight.triu(1).transpose(-1, -2)


class BeforeInit(nn.Module):
    def __init__(self, value):
        self.value = value


def x(*shape):
    return torch.randn(*shape)


def ints(below, *shape):
    return torch.randint(below, shape)


def causal(size):
    return nn.Transformer.generate_square_subsequent_mask(size)


def padding(batch, length):
    mask = torch.zeros(batch, length, dtype=torch.bool)
    mask[1, -2:] = True
    return mask


def packed(tensor):
    lengths = torch.tensor([max(1, tensor.size(0) - 2 * i) for i in range(tensor.size(1))])
    return nn.utils.rnn.pack_padded_sequence(tensor, lengths)


def trained(norm):
    with torch.no_grad():
        for value in norm.state_dict().values():
            if value.is_floating_point():
                value.uniform_(0.5, 1.5)
    return norm


NAMES = {"torch": torch, "nn": nn, "F": F, "OrderedDict": OrderedDict, "x": x, "ints": ints, "causal": causal,
         "padding": padding, "packed": packed, "trained": trained, "Symmetric": Symmetric, "BeforeInit": BeforeInit}


def number(value):
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def flat(value):
    return [y for part in value for y in flat(part)] if isinstance(value, list) else [number(value)]


def plain(value):
    """A value as JSON can hold it."""
    if isinstance(value, torch.Tensor):
        return {"shape": list(value.shape), "dtype": str(value.dtype).replace("assay.", ""),
                "grad": bool(value.requires_grad and value.is_leaf), "values": flat(value.detach().tolist())}
    if isinstance(value, dict):
        return {"dict": [[plain(key), plain(item)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)) or hasattr(value, "__next__") or type(value).__name__ == "odict_keys":
        return {"list": [plain(item) for item in value]}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return number(value)
    return f"a {type(value).__name__}"


def call(module, inputs):
    torch.manual_seed(2)
    with torch.no_grad():
        arguments = eval(f"[{inputs}]", dict(NAMES))
        torch.manual_seed(3)
        return module(*arguments)


def traced(module, inputs):
    """How often each operator is in the module's trace."""
    torch.manual_seed(2)
    with torch.no_grad():
        arguments = eval(f"[{inputs}]", dict(NAMES))
        graph = torch.jit.trace(module, tuple(arguments), check_trace=False).inlined_graph
    kinds = re.findall(r"= ((?:aten|prim)::\w+)", str(graph))
    return {kind: kinds.count(kind) for kind in sorted(set(kinds)) if kind != "prim::Constant"}


def guarded(evaluate):
    """A row's value, or the class and text of its error."""
    try:
        return plain(evaluate())
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error)}


def of_module(row):
    constructor, inputs = row.split(" | ")
    torch.manual_seed(1)
    module = eval(constructor, dict(NAMES))
    values = {"repr": repr(module), "state": dict(module.state_dict()) if "Lazy" not in constructor else None}
    values["training"] = guarded(lambda: call(module, inputs))
    values["after"] = module.state_dict()
    values["evaluated"] = guarded(lambda: call(module.eval(), inputs))
    values["traced"] = guarded(lambda: traced(module.eval(), inputs))
    return values


def of_expression(row):
    torch.manual_seed(2)
    return eval(row, dict(NAMES))


def of_program(row):
    torch.manual_seed(2)
    names = dict(NAMES)
    exec(row, names)
    return names["result"]


def lines(text):
    return [line for line in text.strip().split("\n")]


def rows():
    for row in lines(nn_rows.MODULES):
        yield row, lambda row=row: of_module(row)
    for row in lines(nn_rows.FUNCTIONS) + lines(nn_rows.ERRORS):
        yield row, lambda row=row: of_expression(row)
    for row in nn_behaviours.BEHAVIOURS:
        yield row.strip(), lambda row=row: of_program(row)


with open(sys.argv[2], "w") as output:
    json.dump({row: guarded(evaluate) for row, evaluate in rows()}, output)
