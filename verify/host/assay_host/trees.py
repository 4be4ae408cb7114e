"""Value trees: Python values as JSON and back, tensors beside it."""

import collections
import ctypes
import enum
import math
import re

import torch

from assay_host.frames import clip

MAX_DEPTH = 64

DTYPES = [
    ("F64", "float64"), ("F32", "float32"), ("F16", "float16"), ("BF16", "bfloat16"), ("I64", "int64"),
    ("I32", "int32"), ("I16", "int16"), ("I8", "int8"), ("U8", "uint8"), ("BOOL", "bool"),
    ("C64", "complex64"), ("C128", "complex128"),
]  # fmt: skip
DTYPE_CODES = dict((name, code) for code, name in DTYPES)
KNOWN_DTYPES = dict((getattr(torch, name), name) for _, name in DTYPES if hasattr(torch, name))


def dtype_name(dtype):
    return str(dtype).replace("torch.", "")


def class_name(value):
    kind = value if isinstance(value, type) else type(value)
    return kind.__module__ + "." + kind.__qualname__


# Of elements that are yet to be conjugated or negated; old PyTorch has no such tensors.
LAZY = [getattr(torch.Tensor, name) for name in ("resolve_conj", "resolve_neg") if hasattr(torch.Tensor, name)]


def raw_bytes(tensor):
    """The elements in logical order."""
    flat = tensor.detach()
    for resolve in LAZY:
        flat = resolve(flat)
    flat = flat.cpu().contiguous()
    return ctypes.string_at(flat.data_ptr(), flat.numel() * flat.element_size()) if flat.numel() else b""


def storage_key(tensor):
    if hasattr(tensor, "_storage_key"):  # The engine's.
        return tensor._storage_key()
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
    return storage._cdata


class Encoder:
    """Python values to value trees. One encoder per reply: the same tensor object gets the same
    `ref`, tensors over the same memory the same `storage` number."""

    def __init__(self):
        self.tensors, self._refs, self._storages, self._keep = [], {}, {}, []

    def storage_of(self, tensor, add=True):
        key = storage_key(tensor)
        if add:
            self._keep.append(tensor)  # Keeps the address from being used again.
            return self._storages.setdefault(key, len(self._storages))
        return self._storages.get(key)

    def tensor(self, value):
        if id(value) in self._refs:
            return dict(self._refs[id(value)])
        name = KNOWN_DTYPES.get(value.dtype)
        if value.layout != torch.strided or value.is_quantized or name is None:
            name = dtype_name(value.dtype)
            text = "%s tensor of %s, shape %s" % (value.layout, name, list(value.shape))
            return {"t": "opaque", "type": class_name(value), "text": text}
        tree = {"t": "tensor", "dtype": name, "shape": list(value.shape)}
        tree["storage"], tree["offset"] = self.storage_of(value), value.storage_offset()
        if not value.is_contiguous():
            tree["strides"] = list(value.stride())
        if value.requires_grad:
            tree["requires_grad"] = True
        device = value.device
        if device.type != "cpu" or device.index is not None:
            tree["device"] = str(device)
        if device.type != "meta":
            tree["ref"] = "t%d" % len(self.tensors)
            self.tensors.append((tree["ref"], DTYPE_CODES[name], tree["shape"], raw_bytes(value)))
        self._refs[id(value)] = tree
        return dict(tree)

    def number(self, value):
        if math.isnan(value):
            return "nan"
        return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")

    def items(self, values, depth):
        return [self.encode(value, depth + 1) for value in values]

    def encode(self, value, depth=0):
        if depth > MAX_DEPTH:
            return {"t": "opaque", "type": class_name(value), "text": "nested too deeply"}
        if value is None:
            return {"t": "none"}
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if isinstance(value, enum.Enum):
            return {"t": "enum", "class": class_name(value), "name": value.name,
                    "value": self.encode(value.value, depth + 1)}  # fmt: skip
        if isinstance(value, bool):
            return {"t": "bool", "v": value}
        if isinstance(value, int) and -(2**63) <= value < 2**63:
            return {"t": "int", "v": int(value)}
        if isinstance(value, float):
            return {"t": "float", "v": self.number(float(value))}
        if isinstance(value, complex):
            return {"t": "complex", "v": [self.number(value.real), self.number(value.imag)]}
        if isinstance(value, str):
            return {"t": "str", "v": value.encode("utf-8", "replace").decode("utf-8")}
        if isinstance(value, tuple):
            tree = {"t": "tuple", "v": self.items(value, depth)}
            if hasattr(value, "_fields"):
                tree.update(name=type(value).__name__, fields=list(value._fields))
            return tree
        if isinstance(value, list):
            return {"t": "list", "v": self.items(value, depth)}
        if isinstance(value, dict):
            return {"t": "dict", "v": [self.items(pair, depth) for pair in value.items()]}
        for kind in ("device", "dtype", "layout", "memory_format"):
            if isinstance(value, getattr(torch, kind)):
                return {"t": kind, "v": dtype_name(value)}
        if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
            names = list(value.__dataclass_fields__)
            return {"t": "object", "class": class_name(value), "fields": names,
                    "v": self.items([getattr(value, name, None) for name in names], depth)}  # fmt: skip
        try:
            text = re.sub(" at 0x[0-9a-fA-F]+", "", clip(repr(value), 200))
        except BaseException as error:  # repr is user code.
            text = "repr raised " + class_name(error)
        return {"t": "opaque", "type": class_name(value), "text": text}


def as_arguments(value, depth=0):
    """A value whose dataclasses are named tuples, as those of arguments are."""
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        names = list(value.__dataclass_fields__)
        value = collections.namedtuple(type(value).__name__, names)(*[getattr(value, name, None) for name in names])
    if depth > MAX_DEPTH or not isinstance(value, (list, tuple, dict)):
        return value
    if isinstance(value, dict):
        return dict((key, as_arguments(item, depth + 1)) for key, item in value.items())
    items = [as_arguments(item, depth + 1) for item in value]
    if hasattr(value, "_fields"):
        return value._replace(**dict(zip(value._fields, items)))
    return tuple(items) if isinstance(value, tuple) else items


def extent(shape, strides):
    """Elements from the first to the last one of a strided tensor."""
    return 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, strides))


class Decoder:
    """Value trees to fresh Python values. One decoder per request, for sharing among arguments.
    `record_class` gives the class of a named tuple or dataclass for its name and fields."""

    def __init__(self, tensors, device, record_class):
        self._data, self._device, self._made, self._bases = tensors, device, {}, {}
        self._record_class = record_class

    def tensor(self, tree):
        ref = tree["ref"]
        if ref not in self._made:
            _, shape, data = self._data[ref]
            dtype, shape = getattr(torch, tree["dtype"]), tree.get("shape", shape)
            plain = torch.empty(shape, dtype=dtype)
            ctypes.memmove(plain.data_ptr(), data, len(data))
            result = plain
            if "storage" in tree or "strides" in tree:
                result = self.lay_out(plain, tree)
            result = result.to(tree.get("device", self._device))
            self._made[ref] = result.requires_grad_() if tree.get("requires_grad") else result
        return self._made[ref]

    def lay_out(self, plain, tree):
        shape, offset = list(plain.shape), tree.get("offset", 0)
        strides = tree.get("strides", list(plain.stride()))
        end = offset + extent(shape, strides)
        key = tree.get("storage", tree["ref"])
        base = self._bases.get(key)
        if base is None and offset == 0 and "strides" not in tree:
            self._bases[key] = plain.reshape(-1)
            return plain
        if base is None:
            base = self._bases[key] = torch.zeros(end, dtype=plain.dtype)
        elif base.numel() < end:  # A view made earlier keeps seeing the same memory.
            base.resize_(end)
        places = torch.zeros(shape, dtype=torch.int64) + offset
        for dim, (n, stride) in enumerate(zip(shape, strides)):
            steps = torch.arange(n) * stride
            places += steps.reshape([n] + [1] * (len(shape) - dim - 1))
        if plain.numel():
            base[places.reshape(-1)] = plain.reshape(-1)
        return base.as_strided(shape, strides, offset)

    def decode(self, tree):
        kind, v = tree["t"], tree.get("v")
        if kind == "tensor":
            return self.tensor(tree)
        if kind == "none":
            return None
        if kind == "float":
            return float(v)
        if kind == "complex":
            return complex(float(v[0]), float(v[1]))
        if kind == "list":
            return [self.decode(item) for item in v]
        if kind == "tuple":
            items = [self.decode(item) for item in v]
            if "fields" in tree:
                make = self._record_class(tree["name"].rpartition(".")[2], tree["fields"])
                return make(**dict(zip(tree["fields"], items)))
            return tuple(items)
        if kind == "dict":
            return dict((self.decode(key), self.decode(item)) for key, item in v)
        if kind == "device":
            return torch.device(v)
        if kind in ("dtype", "layout", "memory_format"):
            return getattr(torch, v)
        if kind in ("bool", "int", "str"):
            return v
        raise ValueError("a value of kind %r cannot be an input" % kind)


def raw_tree(encoder, value):
    """Everything about a value that can be compared: its tree and its bytes."""
    value = list(value.items()) if isinstance(value, dict) else list(value)
    return [encoder.encode(item) for item in value], [tensor[3] for tensor in encoder.tensors]
