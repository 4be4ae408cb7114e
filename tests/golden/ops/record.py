"""Records what PyTorch 1.13 answers to small calls of every operator: python3 record.py [FAMILY...]

One file per file of engine/ops/catalog, one line per call:

    aten::sub.Tensor f32[2]{1 2} f32[]{0.5} 1 -> f32[2]{0.5 1.5}
    aten::relu_ f32[2]{-1 2} -> f32[2]{0 2}~0 ; 0=f32[2]{0 2}
    aten::view i64[4]{1 2 3 4} [3] !!

Arguments stand in the schema's order, those left out have their defaults. A tensor is its type,
sizes, strides where it is not row-major, and elements in row-major order (`?` where they are not
defined). `->` is followed by the results, `~1` says that a result lies in the storage of argument
1, `; 1=` what argument 1 holds afterwards if that changed. `!!` is an error. The generator is seeded
with 0 before each call.

Calls are drawn from the schemas, with hints where arguments must fit together; each row keeps the
first few that PyTorch accepts and one that it refuses. The same rows give the same calls.
"""
import os
import random
import re
import signal
import sys
import zlib

import torch

import record_detection
import record_factorization
import record_layers
from record_draw import DTYPES, Draw

HERE = os.path.dirname(os.path.abspath(__file__))
CATALOG = os.path.join(HERE, "..", "..", "..", "engine", "ops", "catalog")
KEPT, REFUSED, DRAWS = 3, 1, 150
SHORT = {dtype: name for name, dtype in DTYPES.items()}
# Their elements are whatever memory held.
UNDEFINED = re.compile(r"empty|resize|aten::new$|_like_undefined")

# Results that are of this type whatever the others are.
COUNTING = {"pivots": "i32", "info": "i32", "rank": "i64"}

# What PyTorch answers, but not by rules that a program could rely on; sym_* give addresses.
OUTSIDE = re.compile(
    r"^aten::sym_|^prim::(?!min|max|abs|rangelist|StringIndex|NumToTensor)|_cudnn|_cuda|aten::(Print|warn|set_|manual_seed|seed|initial_seed|set_grad|"
    r"is_grad_enabled|_set_|wait|save|add_\.t$|record_stream|cuda|confirmed_by_owner|backward|"
    r"requires_grad|retain|_version|data|cpu|pin_memory|_pin)")

FITTING = {**record_layers.CALLS, **record_detection.CALLS, **record_factorization.CALLS}


# Values as text.

def number_text(value, digits):
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, complex):
        return number_text(value.real, digits) + "|" + number_text(value.imag, digits)
    return ("%%.%dg" % digits) % value


def tensor_text(t, defined=True):
    text = SHORT[t.dtype] + "[" + ",".join(map(str, t.shape)) + "]"
    if t.numel() and not t.is_contiguous():
        text += "/[" + ",".join(map(str, t.stride())) + "]"
    digits = 17 if t.dtype in (torch.float64, torch.complex128) else 9
    items = [number_text(x, digits) for x in t.reshape(-1).tolist()] if defined else ["?"]
    return text + "{" + " ".join(items) + "}"


def text(value, defined=True):
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, torch.Tensor):
        return tensor_text(value, defined)
    if isinstance(value, torch.device):
        return "@" + str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, float):
        out = repr(value)
        return out if re.search(r"[.en]", out) else out + ".0"
    if isinstance(value, complex):
        return number_text(value, 17)
    if isinstance(value, list):
        return "[" + " ".join(text(v, defined) for v in value) + "]"
    if isinstance(value, tuple):
        return "(" + " ".join(text(v, defined) for v in value) + ")"
    if isinstance(value, dict):
        return "<" + " ".join(text(k) + " " + text(v, defined) for k, v in value.items()) + ">"
    return str(int(value))


# Rows, calls and their records.

def rows_of(path):
    with open(path) as file:
        for line in file:
            row = re.match(r'(OP|VARIANT)\("([^(]+)\((.*?)"(?:, "([^"]+)"\))?', line)
            if row:
                yield row.group(2), row.group(4) or row.group(2)


def schemas():
    return {s.name + ("." + s.overload_name if s.overload_name else ""): s
            for s in torch._C._jit_get_all_schemas()}


def type_text(value, declared):
    if isinstance(value, dict):
        key, item = declared[5:-1].split(", ")
        return "Dict(%s, %s)" % (key, "int" if item == "t" else item)
    names = {bool: "bool", int: "int", float: "float", str: "str", torch.Tensor: "Tensor"}
    if isinstance(value, list):
        inner = re.fullmatch(r"List\[(.*)\]", declared)
        inner = inner.group(1) if inner else "t"
        if inner == "t":
            inner = names[type(value[0])] if value else "Tensor"
        return inner.replace("Optional[Tensor]", "Tensor?") + "[]"
    return names.get(type(value), declared) if declared in ("t", "t1", "t2") else declared


def caller(schema, args):
    """Calls the very overload; those with type variables through a graph."""
    declared = [str(a.type) for a in schema.arguments]
    if not any(re.search(r"\bt\b", d) for d in declared):
        call = torch._C._get_operation_overload(schema.name, schema.overload_name)[0]
        named = [i for i, a in enumerate(schema.arguments) if a.kwarg_only]
        first = named[0] if named else len(args)
        return lambda *given: call(*given[:first], **{schema.arguments[i].name: given[i] for i in named})
    types = [type_text(v, d) for v, d in zip(args, declared)]
    names = ["%%a%d" % i for i in range(len(args))]
    returned = {"t": types[0][:-2] if types[0].endswith("[]") else "int", "List[t]": types[0]}
    result = str(schema.returns[0].type) if schema.returns else ""
    result = returned.get(result, result).replace("Dict[str, t]", types[0])
    result = re.sub(r"List\[(.*)\]", r"\1[]", result)
    graph = "graph(%s):\n  %s%s(%s)\n  return (%s)" % (
        ", ".join("%s : %s" % p for p in zip(names, types)),
        "%%r : %s = " % result if result else " = ", schema.name, ", ".join(names),
        "%r" if result else "")
    parsed = torch._C.parse_ir(graph)
    found = str(parsed.findNode(schema.name).schema())
    if found != str(schema):
        raise LookupError(found)
    return torch._C._create_function_from_graph("f", parsed)


def results_of(schema, result):
    if not schema.returns:
        return []
    return [result] if len(schema.returns) == 1 else list(result)


def storage_of(value):
    return value.storage().data_ptr() if isinstance(value, torch.Tensor) and value.numel() else None


def record(name, schema, args):
    defined = not UNDEFINED.search(name)
    before = [text(a) for a in args]
    storages = [storage_of(a) for a in args]
    line = " ".join([name] + before)
    try:
        call = caller(schema, args)
    except (LookupError, RuntimeError, KeyError):
        return None
    torch.manual_seed(0)
    try:
        results = results_of(schema, call(*args))
    except Exception as error:
        unfit = re.search(r"Expected a value of type|positional argument|internal assert|not a valid|only supports.*CUDA", str(error), re.I)
        return None if unfit else line + " !!"
    shown = []
    for r in results:
        at = storage_of(r)
        alias = "~%d" % storages.index(at) if at and at in storages else ""
        shown.append(text(r, defined) + alias)
    line += " -> " + " ".join(shown)
    for i, (a, b) in enumerate(zip(args, before)):
        if isinstance(a, torch.Tensor) and text(a) != b:
            line += " ; %d=%s" % (i, text(a, defined))
    return line


def fitting_of(name, functional):
    return FITTING.get(name) or FITTING.get(functional)


def draw_args(d, name, functional, schema):
    declared = schema.arguments
    made = None
    fit = fitting_of(name, functional)
    if fit and not d.chance(0.05):
        d.name = functional
        made = fit(d)
        made = [v for v in made]
    args = []
    for i, argument in enumerate(declared):
        type_ = str(argument.type)
        if made is not None and i < len(made) and argument.name not in ("out", "indices" if ".out" in name else "out"):
            args.append(made[i])
        elif argument.is_out:
            drawn = d.dtype if d.chance(0.8) else "f32"
            args.append(torch.empty(0, dtype=DTYPES[COUNTING.get(argument.name, drawn)]))
        elif argument.has_default_value() and not argument.kwarg_only and made is not None:
            args.append(argument.default_value)
        elif type_ == "Optional[int]" and argument.name == "dtype" and d.chance(0.6):
            args.append(None)
        else:
            args.append(d.value(type_, argument.name))
    return args


def record_row(name, functional, schema):
    random_ = random.Random(zlib.crc32(name.encode()))
    kept, refused, seen = 0, 0, set()
    for _ in range(DRAWS):
        if kept >= KEPT:
            break
        d = Draw(random_, name)
        try:
            args = draw_args(d, name, functional, schema)
        except Exception:
            continue
        line = record(name, schema, args)
        if line is None or line in seen or "\n" in line or len(line) > 700:
            continue
        seen.add(line)
        if not line.endswith("!!"):
            kept += 1
            yield line
        elif refused < REFUSED:
            refused += 1
            yield line


def in_child(lines):
    """A call may end the process, or never end: each row has its own, and some seconds of the processor."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.setitimer(signal.ITIMER_PROF, 3)
        signal.alarm(60)
        for line in lines:
            os.write(writer, (line + "\n").encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        recorded = file.read().split("\n")
    os.waitpid(child, 0)
    return [line for line in recorded if line]


def main(families):
    torch.set_num_threads(1)
    known = schemas()
    missing = []
    for name in sorted(os.listdir(CATALOG)):
        if families and name[:-4] not in families:
            continue
        lines = []
        for row, functional in rows_of(os.path.join(CATALOG, name)):
            if row not in known or OUTSIDE.search(row):
                missing.append(row)
                continue
            recorded = in_child(record_row(row, functional, known[row]))
            if not any("->" in line for line in recorded):
                missing.append(row)
            lines += recorded
        with open(os.path.join(HERE, name[:-4] + ".txt"), "w") as file:
            file.write("\n".join(lines) + "\n")
        print(name, len(lines))
    print(len(missing), "rows without a call that works:", " ".join(missing), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
