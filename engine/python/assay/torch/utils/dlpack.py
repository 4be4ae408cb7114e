"""Tensors to and from other libraries without a copy, by DLPack."""

from assay import _engine as _C


def to_dlpack(tensor):
    return _C.to_dlpack(tensor)


def from_dlpack(data):
    """A tensor on the bytes of a DLPack capsule, or of an object that has one."""
    if hasattr(data, "__dlpack__"):
        data = data.__dlpack__()
    return _C.from_dlpack(data)
