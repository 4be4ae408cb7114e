"""Methods of tensors that are no Python in PyTorch: a trace gives what they compute the line of their caller, and the
names of its variables (bind/frames.cpp)."""

from assay import _engine as _C
from . import _operators as _ops
from ._creation import from_data, legacy_tensor
from ._legacy_types import dtype_and_device, type_names

_nonzero = _C.operator("nonzero")


def type(self, dtype=None, non_blocking=False, **keywords):
    """The name of the tensor's type, or the tensor converted to another one."""
    if dtype is None:
        where = "torch." if self.device.type == "cpu" else f"torch.{self.device.type}."
        return f"{where}{type_names[self.dtype]}Tensor"
    dtype, device = dtype_and_device(dtype)
    return self.to(device or self.device, dtype, non_blocking)


def cuda(self, device=None, non_blocking=False, memory_format=None):
    """The tensor on a CUDA device."""
    if not _C.cuda_devices():
        raise AssertionError("there is no CUDA device here that assay could move a tensor to")
    wanted = _C.device("cuda" if device is None else device)
    return self.to(_C.device("cuda", 0) if wanted.index is None else wanted)


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor of the data; its type and place are this tensor's if they are not given."""
    return from_data(data, dtype or self.dtype, device or self.device, requires_grad)


def new(self, *args, **keywords):
    return legacy_tensor(self.dtype, *args, **keywords)


def nonzero(input, *, out=None, as_tuple=False):
    """The indices of elements that are not zero."""
    return _ops.nonzero_numpy(input) if as_tuple else _nonzero(input, out=out)


def apply_(self, function):
    """Replaces each element by what the function makes of it."""
    flat = [function(item) for item in self.reshape(-1).tolist()]
    return self.copy_(self.new_tensor(flat).view(self.shape))


def map_(self, other, function):
    pairs = zip(self.reshape(-1).tolist(), other.expand(self.shape).reshape(-1).tolist())
    return self.copy_(self.new_tensor([function(*pair) for pair in pairs]).view(self.shape))
