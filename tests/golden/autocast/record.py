"""Records what PyTorch 1.13 does under autocast: python3 record.py

lists.txt: one operator of the catalog per line, with the kinds of devices that PyTorch registers it
for, and what its pass over TorchScript does with the arguments:

    aten::mm cpu cuda script:lower

calls.txt: calls under torch.autocast("cpu") in the notation of ../ops/record.py. The operators are
those of lists.txt that the CPU's list has, and some that it has not.
"""
import os
import random
import re
import sys
import zlib

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "ops"))
import record as calls  # noqa: E402

KEPT = 2
# Rewritten only where their argument `dtype` is None.
BY_DTYPE = {"aten::prod", "aten::softmax", "aten::log_softmax", "aten::cumprod", "aten::cumsum",
            "aten::sum"}
BESIDE = {"aten::exp", "aten::mv", "aten::sum", "aten::softmax.int", "aten::layer_norm",
          "aten::gelu", "aten::einsum", "aten::dot", "aten::relu"}


def catalog():
    for name in sorted(os.listdir(calls.CATALOG)):
        if name.endswith(".def"):
            yield from calls.rows_of(os.path.join(calls.CATALOG, name))


def region(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.mm(x, y)


def script_cast(around, schema):
    """What the pass puts in front of the operator's tensors: nothing, lower, full or refuse."""
    graph = around.copy()
    place = graph.findNode("aten::mm")
    inputs = []
    for argument in schema.arguments:
        value = graph.addInput()
        no_dtype = argument.name == "dtype" and schema.name in BY_DTYPE
        value.setType(torch._C.NoneType.get() if no_dtype else argument.type)
        inputs.append(value)
    node = graph.create(schema.name, inputs, max(1, len(schema.returns)))
    node.insertBefore(place)
    try:
        torch._C._jit_pass_autocast(graph)
    except RuntimeError as error:
        return "refuse" if "nsafe to autocast" in str(error) else None
    kinds = {value.node().kind() for value in node.inputs()}
    if "aten::_autocast_to_reduced_precision" in kinds:
        return "lower"
    return "full" if "aten::_autocast_to_full_precision" in kinds else None


def lists(known):
    around = torch.jit.script(region).graph
    torch._C._jit_pass_inline(around)
    for row, _ in catalog():
        if row not in known or known[row].is_mutable:
            continue
        if not any("Tensor" in str(argument.type) for argument in known[row].arguments):
            continue
        registered = torch._C._dispatch_dump(row) if row.startswith("aten::") else ""
        words = [kind for kind in ("cpu", "cuda") if "Autocast" + kind.upper() + ":" in registered]
        cast = script_cast(around, known[row])
        words += ["script:" + cast] if cast else []
        if words:
            yield row, words


def record_calls(name, functional, schema):
    random_ = random.Random(zlib.crc32(name.encode()))
    kept, seen = 0, set()
    for _ in range(400):
        draw = calls.Draw(random_, name)
        draw.dtype = draw.one(["f32", "bf16", "bf16", "f64"])
        draw.operand = lambda: draw.tensor(*draw.shape, dtype=draw.one(["f32", "bf16"]))
        try:
            args = calls.draw_args(draw, name, functional, schema)
        except Exception:
            continue
        tensors = [v for a in args for v in (a if isinstance(a, (list, tuple)) else [a])
                   if isinstance(v, torch.Tensor)]
        if not any(t.is_floating_point() for t in tensors):
            continue
        with torch.autocast("cpu"):
            line = calls.record(name, schema, args)
        # How padding meets an infinity, and the nuclear norm, are no matter of autocast.
        plain = line and not re.search(r'inf|nan|"nuc"|!!$', line)
        if plain and line not in seen and len(line) < 700:
            seen.add(line)
            kept += 1
            yield line
        if kept == KEPT:
            return


def main():
    torch.set_num_threads(1)
    known = calls.schemas()
    listed = dict(lists(known))
    with open(os.path.join(HERE, "lists.txt"), "w") as file:
        for row, words in listed.items():
            file.write(" ".join([row] + words) + "\n")
    with open(os.path.join(HERE, "calls.txt"), "w") as file:
        for row, functional in catalog():
            if row in BESIDE or "cpu" in listed.get(row, ()):
                for line in calls.in_child(record_calls(row, functional, known[row])):
                    file.write(line + "\n")


main()
