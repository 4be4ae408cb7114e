"""Tensors as text: PyTorch's layout."""

import math

from assay import _engine as _C
from ._tensor import Tensor


class _Options:
    precision, threshold, edgeitems, linewidth, sci_mode = 4, 1000, 3, 80, None


PRINT_OPTS = _Options()
_PROFILES = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, math.inf, 3, 80)}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """How tensors print: digits, from how many elements on they are cut, how long lines are."""
    names = ("precision", "threshold", "edgeitems", "linewidth")
    if profile is not None:
        for name, value in zip(names, _PROFILES[profile]):
            setattr(PRINT_OPTS, name, value)
    for name, value in zip(names, (precision, threshold, edgeitems, linewidth)):
        if value is not None:
            setattr(PRINT_OPTS, name, value)
    PRINT_OPTS.sci_mode = sci_mode


class _Format:
    """One format for all numbers of a tensor."""

    def __init__(self, numbers, floating):
        self.floating, self.whole, self.scientific = floating, True, False
        self.width = 1
        if not floating:
            self.width = max([1] + [len(str(number)) for number in numbers])
            return
        counted = [number for number in numbers if math.isfinite(number) and number != 0]
        if counted:
            self._choose(counted)
        if PRINT_OPTS.sci_mode is not None:
            self.scientific = PRINT_OPTS.sci_mode

    def _choose(self, counted):
        sizes = [abs(number) for number in counted]
        low, high = min(sizes), max(sizes)
        self.whole = all(number == math.ceil(number) for number in counted)
        self.scientific = high / low > 1000 or high > 1e8 or (not self.whole and low < 1e-4)
        if self.scientific:
            texts = [f"{number:.{PRINT_OPTS.precision}e}" for number in counted]
        elif self.whole:
            texts = [f"{number:.0f}." for number in counted]
        else:
            texts = [f"{number:.{PRINT_OPTS.precision}f}" for number in counted]
        self.width = max(1, max(map(len, texts)))

    def text(self, number):
        if not self.floating:
            shown = str(number)
        elif self.scientific:
            shown = f"{number:{self.width}.{PRINT_OPTS.precision}e}"
        elif self.whole:
            shown = f"{number:.0f}" + ("." if math.isfinite(number) else "")
        else:
            shown = f"{number:.{PRINT_OPTS.precision}f}"
        return shown.rjust(self.width)


class _ComplexFormat:
    def __init__(self, numbers):
        self.real = _Format([number.real for number in numbers], True)
        self.imag = _Format([number.imag for number in numbers], True)
        self.width = self.real.width + self.imag.width + 1

    def text(self, number):
        imaginary = (self.imag.text(number.imag) + "j").lstrip()
        sign = "" if imaginary[0] in "+-" else "+"
        return self.real.text(number.real) + sign + imaginary


def _flat(nested, depth):
    for _ in range(depth - 1):
        nested = [item for part in nested for item in part]
    return nested if depth else [nested]


def _ends(tensor):
    """The tensor without what a summary leaves out."""
    edge = PRINT_OPTS.edgeitems
    for dim in range(tensor.dim()):
        size = tensor.size(dim)
        if size > 2 * edge:
            parts = [tensor.narrow(dim, 0, edge), tensor.narrow(dim, size - edge, edge)]
            tensor = _C.functions["cat"](parts, dim)
    return tensor


def _cut(items, size, mark):
    """The items of one dimension as texts, with a mark where some were left out."""
    edge = PRINT_OPTS.edgeitems
    return items if len(items) == size else items[:edge] + [mark] + items[edge:]


def _body(items, sizes, indent, form):
    if not sizes:
        return form.text(items)
    if len(sizes) == 1:
        texts = _cut([form.text(item) for item in items], sizes[0], " ...")
        per_line = max(1, (PRINT_OPTS.linewidth - indent) // (form.width + 2))
        lines = [", ".join(texts[at:at + per_line]) for at in range(0, len(texts), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    parts = _cut([_body(item, sizes[1:], indent + 1, form) for item in items], sizes[0], "...")
    return "[" + ("," + "\n" * (len(sizes) - 1) + " " * (indent + 1)).join(parts) + "]"


def _elements_text(tensor, indent):
    sizes = tuple(int(size) for size in tensor.size())
    shown = _ends(tensor) if tensor.numel() > PRINT_OPTS.threshold else tensor
    nested = shown.tolist()
    numbers = _flat(nested, len(sizes))
    form = _ComplexFormat(numbers) if tensor.dtype.is_complex else _Format(numbers, tensor.dtype.is_floating_point)
    return _body(nested, sizes, indent, form)


def _suffixes(tensor, usual):
    if tensor.device.type != "cpu":
        yield f"device='{tensor.device}'"
    if tensor.device.type == "meta":
        yield f"size={tuple(tensor.shape)}"
        if tensor.dtype != _C.get_default_dtype():
            yield f"dtype={tensor.dtype}"
    elif tensor.numel() == 0:
        if tensor.dim() != 1:
            yield f"size={tuple(tensor.shape)}"
        if tensor.dtype != _C.get_default_dtype():
            yield f"dtype={tensor.dtype}"
    elif tensor.dtype not in usual:
        yield f"dtype={tensor.dtype}"
    if tensor.requires_grad:
        yield "requires_grad=True" if tensor.is_leaf else f"grad_fn={tensor.grad_fn}"


def text_of(tensor, contents=None):
    """repr(tensor)"""
    plain = type(tensor) is Tensor or type(tensor).__name__ == "Parameter"
    prefix = "tensor(" if plain else type(tensor).__name__ + "("
    default = _C.get_default_dtype()
    usual = (default, _C.complex128 if default is _C.float64 else _C.complex64, _C.int64, _C.bool)
    if contents is None:
        if tensor.device.type == "meta":
            contents = "..."
        elif tensor.numel() == 0:
            contents = "[]"
        else:
            contents = _elements_text(tensor.detach().cpu(), len(prefix))
    out = prefix + contents
    length = len(out) - out.rfind("\n") + 1
    for suffix in _suffixes(tensor, usual):
        if length + len(suffix) + 2 > PRINT_OPTS.linewidth:
            out += ",\n" + " " * len(prefix) + suffix
            length = len(prefix) + len(suffix)
        else:
            out += ", " + suffix
            length += len(suffix) + 2
    return out + ")"
