"""The files that torch.save wrote before PyTorch 1.6, and writes with _use_new_zipfile_serialization=False: pickles one
after the other, and behind them the bytes of the storages."""

import pickle
import struct

from assay import _engine as _C
from . import storage

_MAGIC, _VERSION = 0x1950A86A20F9469CFC6C, 1001


def load(file, unpickler, restored):
    """What the file holds. `unpickler(file, load_storage)` reads pickles; `restored(storage, location)` is the storage
    at the place that it is for."""
    storages = {}
    position = file.tell()
    length = file.seek(0, 2)
    file.seek(position)

    def load_storage(kind, key, location, numel, view=None):
        if key not in storages:
            if not 0 <= numel * kind.dtype.itemsize <= length:
                raise RuntimeError(f"the file's storage {key} is longer than the file")
            storages[key] = restored(storage.TypedStorage(_C.functions["empty"](numel, dtype=kind.dtype)), location)
        flat = storages[key]._flat
        if view is not None:
            _, start, count = view
            flat = flat[start:start + count]
        return storage.TypedStorage(flat)

    def none_yet(*_):
        raise RuntimeError("the file refers to a storage before its contents")

    def next_object():
        return unpickler(file, none_yet).load()

    if not _begins(next_object):
        raise RuntimeError("the file is neither a zip archive nor one that torch.save wrote before PyTorch 1.6")
    if next_object().get("little_endian") is not True:
        raise NotImplementedError("assay reads files of little-endian machines")
    result = unpickler(file, load_storage).load()
    for key in next_object():
        _fill(file, storages.get(key), key)
    return result


def _begins(next_object):
    try:
        return next_object() == _MAGIC and next_object() == _VERSION
    except pickle.UnpicklingError:
        return False


def _fill(file, kept, key):
    """The bytes that stand next in the file, behind how many elements they are."""
    count = file.read(8)
    if kept is None or len(count) < 8 or struct.unpack("<q", count)[0] != len(kept):
        raise RuntimeError(f"the file's storage {key} is not what its contents say")
    data = bytearray(file.read(len(kept) * kept.element_size()))
    if len(data) < len(kept) * kept.element_size():
        raise RuntimeError(f"the file ends within its storage {key}")
    if data:
        kept._flat.copy_(_C.from_array(data).view(kept.dtype))
