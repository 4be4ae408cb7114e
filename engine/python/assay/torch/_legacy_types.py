"""torch.FloatTensor and its like: kinds of tensors that are told by element type and device."""

from assay import _engine as _C
from ._creation import legacy_tensor
from ._tensor import Tensor

type_names = {
    _C.float32: "Float", _C.float64: "Double", _C.float16: "Half", _C.bfloat16: "BFloat16",
    _C.uint8: "Byte", _C.int8: "Char", _C.int16: "Short", _C.int32: "Int", _C.int64: "Long",
    _C.bool: "Bool", _C.complex64: "ComplexFloat", _C.complex128: "ComplexDouble",
}


class _TensorKind:
    """Makes tensors of one type; isinstance() looks at the type."""

    def __init__(self, dtype, device="cpu"):
        self.dtype = dtype
        self.device = device
        self.__name__ = self.__qualname__ = type_names[dtype] + "Tensor"
        self.__module__ = "torch" if device == "cpu" else f"torch.{device}"

    def __call__(self, *args, **keywords):
        if self.device != "cpu":
            keywords.setdefault("device", self.device)
        return legacy_tensor(self.dtype, *args, **keywords)

    def __instancecheck__(self, obj):
        return isinstance(obj, Tensor) and obj.dtype == self.dtype and obj.device.type == self.device

    def __repr__(self):
        return f"<class '{self.__module__}.{self.__name__}'>"


_KINDS = {type_names[dtype] + "Tensor": _TensorKind(dtype) for dtype in type_names
          if not dtype.is_complex}


def tensor_types(device="cpu"):
    """The kinds of tensors on a device, by their names."""
    return dict(_KINDS) if device == "cpu" else {name: _TensorKind(kind.dtype, device) for name, kind in _KINDS.items()}


def dtype_and_device(kind):
    """What a dtype, a kind of tensor or its name says; None for a device that is not told."""
    if isinstance(kind, _C.dtype):
        return kind, None
    name = kind if isinstance(kind, str) else f"{getattr(kind, '__module__', '')}.{getattr(kind, '__name__', kind)}"
    parts = name.split(".")
    if parts[0] == "torch" and parts[-1] in _KINDS and len(parts) in (2, 3):
        return _KINDS[parts[-1]].dtype, _C.device(parts[1] if len(parts) == 3 else "cpu")
    if parts[-1] == "Tensor":
        return _C.get_default_dtype(), _C.device("cpu")
    raise ValueError(f"invalid type: '{name}'")
