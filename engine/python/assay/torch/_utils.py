"""torch._utils: what files call to make tensors again, and tools of packages."""

from . import _operators as _ops, cuda
from ._package import torch
from ._rebuilding import (  # noqa: F401  (files name them here)
    _rebuild_from_type, _rebuild_from_type_v2, _rebuild_tensor, _rebuild_tensor_v2)
from .nn.parameter import _rebuild_parameter  # noqa: F401


def _flatten_dense_tensors(tensors):
    """All elements one after the other."""
    return _ops.cat([tensor.reshape(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat, tensors):
    """Views of what _flatten_dense_tensors gave, as the tensors were."""
    parts = flat.split([tensor.numel() for tensor in tensors])
    return tuple(part.view_as(tensor) for part, tensor in zip(parts, tensors))


def _take_tensors(tensors, size_limit):
    """Lists of tensors of one type, of up to so many bytes each."""
    open_lists = {}
    for tensor in tensors:
        taken, size = open_lists.get(tensor.type(), ([], 0))
        size += tensor.numel() * tensor.element_size()
        if taken and size > size_limit:
            yield taken
            taken, size = [], tensor.numel() * tensor.element_size()
        open_lists[tensor.type()] = taken + [tensor], size
    yield from (taken for taken, _ in open_lists.values())


def _get_device_index(device, optional=False, allow_cpu=False):
    """The number of a CUDA device; -1 for the processor."""
    if isinstance(device, str):
        device = torch.device(device)
    if isinstance(device, torch.device):
        if device.type != "cuda" and not (allow_cpu and device.type == "cpu"):
            raise ValueError(f"Expected a cuda{' or cpu' if allow_cpu else ''} device, but got: {device}")
        device = -1 if device.type == "cpu" else device.index
    if device is None and optional:
        device = cuda.current_device()
    if not isinstance(device, int):
        raise ValueError(f"a torch.device with a number or an integer is needed, not {device}")
    return device
