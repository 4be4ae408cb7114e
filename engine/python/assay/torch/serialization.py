"""torch.save and torch.load: PyTorch's files. Loading runs no code that a file brings: what it may
build is a closed set of kinds."""

import collections
import io
import os
import pickle
from typing import Callable, Dict, Optional, Union

from assay import _engine as _C
from . import _sequence_files, _utils, storage
from ._tensor import Tensor
from .nn.parameter import Parameter
from .types import Size

DEFAULT_PROTOCOL = 2
MAP_LOCATION = Optional[Union[Callable[[Tensor, str], Tensor], _C.device, str, Dict[str, str]]]


class _Pickler(pickle._Pickler):
    """Keeps storages apart, and calls the classes of this package by PyTorch's names."""

    def __init__(self, file, protocol, storages):
        super().__init__(file, protocol)
        self.storages = storages

    def persistent_id(self, obj):
        if not isinstance(obj, storage.TypedStorage):
            return None
        key = self.storages.setdefault(obj._key(), (str(len(self.storages)), obj))[0]
        return "storage", storage.class_of(obj.dtype), key, str(obj.device), len(obj)

    def save_global(self, obj, name=None):
        tag = isinstance(obj, (_C.dtype, _C.layout, _C.memory_format))
        module = "torch" if tag else getattr(obj, "__module__", None) or ""
        if module.startswith("assay.torch") or module == "torch" or module.startswith("torch."):
            name = name or getattr(obj, "__qualname__", None) or obj.__name__
            module = module.removeprefix("assay.")
            self.write(pickle.GLOBAL + module.encode() + b"\n" + name.encode() + b"\n")
            self.memoize(obj)
            return
        super().save_global(obj, name)

    def save(self, obj, save_persistent_id=True):
        known = self.memo.get(id(obj))
        if known:
            return self.write(self.get(known[0]))
        if isinstance(obj, storage._StorageKind):
            return self.save_global(obj, obj.__name__)
        if isinstance(obj, (_C.dtype, _C.layout, _C.memory_format)):
            return self.save_global(obj, str(obj).removeprefix("torch."))
        if isinstance(obj, _C.device):
            return self.save_reduce(_C.device, (str(obj),), obj=obj)
        return super().save(obj, save_persistent_id)


def save(obj, f, pickle_module=pickle, pickle_protocol=DEFAULT_PROTOCOL, _use_new_zipfile_serialization=True):
    """Writes an object with its tensors, as PyTorch reads it."""
    storages = {}
    data = io.BytesIO()
    _Pickler(data, pickle_protocol, storages).dump(obj)
    name = os.path.splitext(os.path.basename(f))[0] if isinstance(f, (str, os.PathLike)) else "archive"
    records = [("data.pkl", data.getvalue())]
    for key, kept in storages.values():
        records.append((f"data/{key}", _bytes_of(kept)))
    records.append(("version", b"3\n"))
    contents = _C.zip_bytes(name, records)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "wb") as file:
            file.write(contents)
    else:
        f.write(contents)


def _bytes_of(kept):
    flat = kept._flat._storage_bytes().cpu()
    return bytes(memoryview(_C.array_of(flat))) if flat.numel() else b""


# What a file may name beside the package's own kinds of storages and element types.
_ALLOWED = {
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("collections", "defaultdict"): collections.defaultdict,
    ("collections", "Counter"): collections.Counter,
    ("builtins", "set"): set, ("__builtin__", "set"): set,
    ("builtins", "frozenset"): frozenset, ("builtins", "complex"): complex, ("__builtin__", "complex"): complex,
    ("builtins", "slice"): slice, ("builtins", "bytearray"): bytearray, ("builtins", "range"): range,
    ("builtins", "int"): int, ("builtins", "float"): float, ("builtins", "list"): list, ("builtins", "dict"): dict,
    ("builtins", "tuple"): tuple, ("builtins", "bool"): bool, ("builtins", "str"): str,
    ("__builtin__", "bytearray"): bytearray,
    ("torch._utils", "_rebuild_tensor"): _utils._rebuild_tensor,
    ("torch._utils", "_rebuild_tensor_v2"): _utils._rebuild_tensor_v2,
    ("torch._utils", "_rebuild_parameter"): _utils._rebuild_parameter,
    ("torch._tensor", "_rebuild_from_type_v2"): _utils._rebuild_from_type_v2,
    ("torch._utils", "_rebuild_from_type_v2"): _utils._rebuild_from_type_v2,
    ("torch", "Size"): Size, ("torch", "device"): _C.device, ("torch", "Tensor"): Tensor,
    ("torch._tensor", "Tensor"): Tensor,
    ("_codecs", "encode"): lambda text, encoding: text.encode(encoding),
}


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, load_storage, **keywords):
        super().__init__(file, **keywords)
        self.load_storage = load_storage

    def find_class(self, module, name):
        module = module.removeprefix("assay.")
        if (module, name) in _ALLOWED:
            return _ALLOWED[module, name]
        if module in ("torch", "torch.storage"):
            kinds = storage.storage_classes()
            if name in kinds:
                return kinds[name]
            found = getattr(_C, name, None)
            if isinstance(found, (_C.dtype, _C.layout, _C.memory_format)):
                return found
        if (module, name) == ("torch.nn.parameter", "Parameter"):
            return Parameter
        raise pickle.UnpicklingError(
            f"the file wants to build a {module}.{name}: assay loads tensors, numbers, texts, lists and dicts, "
            "and runs no code that a file brings. Save the state (module.state_dict()) instead of the object")

    def persistent_load(self, found):
        if not isinstance(found, tuple) or len(found) < 5 or found[0] != "storage":
            raise pickle.UnpicklingError(f"the file refers to something that is no storage: {found!r}")
        return self.load_storage(*found[1:])


def _target(map_location, location, kept):
    """Where a storage goes that was saved at a location."""
    if isinstance(map_location, dict):
        return map_location.get(location, location)
    if callable(map_location):
        moved = map_location(kept, location)
        return location if moved is None else str(moved.device)
    return location if map_location is None else str(map_location)


def default_restore_location(storage, location):
    """The storage where it was when it was saved."""
    return storage.to(_device(location)) if location != "cpu" else storage


def load(f, map_location=None, pickle_module=None, *, weights_only=False, **pickle_load_args):
    """What torch.save wrote."""
    encoding = pickle_load_args.get("encoding", "utf-8")
    file = f if hasattr(f, "read") else open(f, "rb")
    try:
        import zipfile  # Here, since it takes longer to import than most of this package.
        if zipfile.is_zipfile(file):
            file.seek(0)
            return _load_zip(zipfile, file, map_location, encoding)
        file.seek(0)
        return _load_sequence(file, map_location, encoding)
    finally:
        if file is not f:
            file.close()


def _load_sequence(file, map_location, encoding):
    def unpickler(file, load_storage):
        return _Unpickler(file, load_storage, encoding=encoding)

    def restored(made, location):
        return _placed(made, _target(map_location, location, made))

    try:
        return _sequence_files.load(file, unpickler, restored)
    except (EOFError, AttributeError, TypeError, ValueError) as error:
        raise RuntimeError(f"the file is none that torch.save writes: {error}") from error


def _load_zip(zipfile, file, map_location, encoding):
    with zipfile.ZipFile(file) as archive:
        names = {name.partition("/")[2]: name for name in archive.namelist()}
        if "constants.pkl" in names:
            from . import jit
            file.seek(0)
            return jit.load(file, map_location=map_location)
        if "data.pkl" not in names:
            raise RuntimeError("the archive has no data.pkl: it is none that torch.save writes")
        order = archive.read(names["byteorder"]).decode() if "byteorder" in names else "little"
        if order != "little":
            raise NotImplementedError(f"assay reads archives of little-endian machines, not {order!r}")
        loaded = {}

        def load_storage(kind, key, location, numel, *_):
            if key not in loaded:
                data = bytearray(archive.read(names[f"data/{key}"]))
                if len(data) < numel * kind.dtype.itemsize:
                    raise RuntimeError(f"the archive's storage {key} is shorter than it says")
                flat = _C.from_array(data) if data else _C.functions["empty"](0, dtype=_C.uint8)
                made = storage.TypedStorage(flat.view(kind.dtype))
                loaded[key] = _placed(made, _target(map_location, location, made))
            return storage.TypedStorage(loaded[key]._flat.view(kind.dtype))

        return _Unpickler(io.BytesIO(archive.read(names["data.pkl"])), load_storage, encoding=encoding).load()


def _placed(made, place):
    return made if place == "cpu" else storage.TypedStorage(made._flat.to(_device(place)))


def _device(place):
    if place.startswith("cuda") and not _C.cuda_devices():
        raise RuntimeError("Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. "
                           "Please use torch.load with map_location=torch.device('cpu') to map your storages to "
                           "the CPU.")
    return _C.device(place)


def _load_from_bytes(data):
    return load(io.BytesIO(data))


_load_from_bytes.__module__ = storage.__name__  # By which pickles call it.
storage._load_from_bytes = _load_from_bytes
