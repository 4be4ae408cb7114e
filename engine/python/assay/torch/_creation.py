"""Tensors made of data: torch.tensor and its relatives."""

import mmap
import os
import warnings

from assay import _engine as _C
from ._package import torch
from ._tensor import Tensor
from ._tracer_warning import warn_of_constant


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False, names=None):
    """A new tensor with the elements of a number, nested lists or an array."""
    _check_names(names)
    if _C._get_tracing_state() is not None:
        warn_of_constant("torch.tensor")
    return from_data(data, dtype, device, requires_grad)


def from_data(data, dtype, device, requires_grad):
    """The same for methods of tensors, of whose constants PyTorch does not warn."""
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.clone().detach() or "
            "sourceTensor.clone().detach().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            stacklevel=3)
        made = _placed(data.detach(), device, dtype, copy=True)
    else:
        made = _C.tensor_from_data(_as_buffer(data), dtype, device)
        if _C._get_tracing_state() is not None:
            made = _placed(made)
    if _C._get_tracing_state() is not None:
        made = made.detach()
    return made.requires_grad_() if requires_grad else made


def _placed(tensor, device=None, dtype=None, copy=False):
    """The tensor on a device and of a type, its own if they are not given. A trace shows that for new tensors,
    too, behind a constant."""
    device = tensor.device if device is None else torch.device(device)
    return _C.functions["to"](tensor, device, tensor.dtype if dtype is None else dtype, False, copy,
                              memory_format=None)


def as_tensor(data, dtype=None, device=None):
    """The data as a tensor, on the same bytes where that can be."""
    if _C._get_tracing_state() is not None:
        warn_of_constant("torch.as_tensor")
    return _as_tensor(data, dtype, device)


def _as_tensor(data, dtype=None, device=None):
    if isinstance(data, Tensor):
        return _placed(data, device, dtype)
    if _is_array(data):
        return _placed(_from_numpy(data), device, dtype)
    made = _C.tensor_from_data(_as_buffer(data), dtype, device)
    return made if _C._get_tracing_state() is None else _placed(made)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    """As as_tensor, where `copy` says whether bytes must or must not be copied."""
    if copy:
        made = tensor(obj, dtype=dtype, device=device) if not isinstance(obj, Tensor) else \
            obj.detach().to(device=device, dtype=dtype, copy=True)
    else:
        if isinstance(obj, Tensor):
            shared = obj
        elif hasattr(obj, "__dlpack__") and not _is_array(obj):
            from .utils.dlpack import from_dlpack
            shared = from_dlpack(obj)
        else:
            shared = _as_tensor(obj)
        made = shared.to(device=device, dtype=dtype)
        if copy is False and made is not shared:
            raise ValueError("can't alias the data: its type or device would have to change")
    return made.requires_grad_() if requires_grad else made


def from_numpy(array):
    """A tensor on an array's bytes."""
    if _C._get_tracing_state() is not None:
        warn_of_constant("torch.from_numpy")
    return _from_numpy(array)


def _from_numpy(array):
    if not _is_array(array):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    if not array.flags.writeable:
        warnings.warn("The given NumPy array is not writable: writing to the tensor changes bytes that "
                      "the array protects. Copy the array first.", stacklevel=3)
    if not array.dtype.isnative:
        raise ValueError("given numpy array has byte order different from the native byte order. "
                         "Conversion between byte orders is currently not supported.")
    made = _C.from_array(array)
    return made if _C._get_tracing_state() is None else _C.functions["lift_fresh"](made)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A one-dimensional tensor on the bytes of a buffer."""
    view = memoryview(buffer).cast("B")
    size = dtype.itemsize
    if offset < 0 or offset >= len(view):
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than "
                         f"buffer length ({len(view)} bytes) minus 1")
    if count < 0:
        if (len(view) - offset) % size:
            raise ValueError(f"buffer length ({len(view) - offset} bytes) after offset ({offset} bytes) "
                             f"must be a multiple of element size ({size})")
        count = (len(view) - offset) // size
    if count == 0 or offset + count * size > len(view):
        raise ValueError(f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) "
                         f"must not be greater than actual buffer length ({len(view)} bytes)")
    if view.readonly:
        warnings.warn("The given buffer is not writable: writing to the tensor changes bytes that "
                      "the buffer protects.", stacklevel=2)
    made = _C.from_array(view[offset:offset + count * size]).view(dtype)
    return made.requires_grad_() if requires_grad else made


def from_file(filename, shared=None, size=0, *, dtype=None, layout=None, device=None, pin_memory=None,
              requires_grad=False):
    """A one-dimensional tensor on the bytes of a file; shared, what is written to it is written to the file."""
    dtype = _C.get_default_dtype() if dtype is None else dtype
    count = size * dtype.itemsize
    if shared and not os.path.exists(filename) or shared and os.path.getsize(filename) < count:
        with open(filename, "ab") as file:
            file.truncate(count)
    if os.path.getsize(filename) < count:
        raise RuntimeError(f"{filename} has {os.path.getsize(filename)} bytes; {size} elements of {dtype} take {count}")
    if count == 0:
        return tensor([], dtype=dtype, requires_grad=requires_grad)
    with open(filename, "r+b" if shared else "rb") as file:
        mapped = mmap.mmap(file.fileno(), count, access=mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY)
    return frombuffer(mapped, dtype=dtype, requires_grad=requires_grad)


def legacy_tensor(dtype, *args, device=None):
    """What torch.Tensor(...) (no dtype) and torch.FloatTensor(...) make: of sizes, data or a tensor."""
    from ._operators import alias, empty
    if not args:
        return empty(0, dtype=dtype, device=device)
    if len(args) == 1 and isinstance(args[0], Tensor):
        if dtype is not None and args[0].dtype != dtype:
            raise TypeError(f"a tensor of {dtype} cannot be made of one of {args[0].dtype}: call its to({dtype})")
        return alias(args[0])
    if dtype is None:
        dtype = _C.get_default_dtype()
    if len(args) == 1 and not isinstance(args[0], int):
        if type(args[0]).__name__ == "Size":
            return empty(args[0], dtype=dtype, device=device)
        made = _C.tensor_from_data(_as_buffer(args[0]), dtype, device)
        return made if _C._get_tracing_state() is None else _placed(made)
    return empty(args, dtype=dtype, device=device)


def _is_array(data):
    return hasattr(data, "__array_interface__") and hasattr(data, "flags")


def _as_buffer(data):
    """Data with elements of Python's own, or with a buffer."""
    if _is_array(data):
        if not data.dtype.isnative:
            raise ValueError("given numpy array has byte order different from the native byte order. "
                             "Conversion between byte orders is currently not supported.")
        if data.dtype.kind not in "biufc":
            raise TypeError(f"can't convert np.ndarray of type {data.dtype.type}.")
    elif not hasattr(data, "__len__") and hasattr(data, "__array__") and not hasattr(data, "dtype"):
        return data.__array__()
    return data


def _check_names(names):
    if names is not None:
        raise NotImplementedError("assay's tensors have no named dimensions")
