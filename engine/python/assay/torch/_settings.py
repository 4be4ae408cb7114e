"""What torch can be asked and told about itself and the process."""

from assay import _engine as _C
from ._tensor import Tensor

__all__ = [
    "set_default_dtype", "set_default_tensor_type", "finfo", "iinfo", "is_floating_point", "is_complex",
    "get_num_interop_threads", "set_num_interop_threads", "use_deterministic_algorithms",
    "are_deterministic_algorithms_enabled", "is_deterministic_algorithms_warn_only_enabled",
    "set_deterministic_debug_mode", "get_deterministic_debug_mode", "set_float32_matmul_precision",
    "get_float32_matmul_precision", "set_warn_always", "is_warn_always_enabled", "set_flush_denormal",
    "compiled_with_cxx11_abi", "typename", "_assert", "is_inference", "from_dlpack", "to_dlpack",
    "has_cuda", "has_cudnn", "has_mps", "has_mkl", "has_mkldnn", "has_openmp", "has_lapack", "has_spectral",
]

# What PyTorch was built with: of an engine that runs on the CPU.
has_cuda = has_cudnn = has_mps = has_mkl = False
has_mkldnn = has_openmp = has_lapack = has_spectral = True

_deterministic = [False, False]
_precision = ["highest"]
_warn_always = [False]


def set_default_dtype(dtype):
    _C.set_default_dtype(dtype)


def set_default_tensor_type(kind):
    """The default element type, by the name of a kind of tensor."""
    from ._legacy_types import dtype_and_device
    dtype, device = dtype_and_device(kind)
    if device is not None and device.type != "cpu":
        raise TypeError(f"assay makes new tensors on the CPU: {kind} cannot be the default")
    _C.set_default_dtype(dtype)


class _Info:
    def __init__(self, dtype):
        self.dtype = str(dtype)[len("torch."):]


# bits, exponent's bits
_FLOATS = {_C.float16: (16, 5), _C.bfloat16: (16, 8), _C.float32: (32, 8), _C.float64: (64, 11)}
_FLOATS[_C.complex64], _FLOATS[_C.complex128] = _FLOATS[_C.float32], _FLOATS[_C.float64]
_INTS = {_C.uint8: 8, _C.int8: 8, _C.int16: 16, _C.int32: 32, _C.int64: 64}


class finfo(_Info):
    """The limits of a floating-point type, by IEEE 754's rules."""

    __module__ = __package__

    def __init__(self, dtype=None):
        dtype = _C.get_default_dtype() if dtype is None else dtype
        if dtype not in _FLOATS:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                            f"'{dtype}'")
        self.bits, exponent = _FLOATS[dtype]
        fraction = self.bits - exponent - 1
        highest = 2 ** (exponent - 1) - 1
        self.eps = 2.0 ** -fraction
        self.max = float((2 ** (fraction + 1) - 1) * 2 ** (highest - fraction))
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0 ** (1 - highest)
        self.resolution = 10.0 ** -int(fraction * 0.30103)
        if dtype.is_complex:
            dtype = {32: _C.float32, 64: _C.float64}[self.bits]
        super().__init__(dtype)

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo(_Info):
    """The limits of an integer type."""

    __module__ = __package__

    def __init__(self, dtype):
        if dtype not in _INTS:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{dtype}'")
        super().__init__(dtype)
        self.bits = _INTS[dtype]
        signed = dtype is not _C.uint8
        self.min = -2 ** (self.bits - 1) if signed else 0
        self.max = 2 ** (self.bits - 1) - 1 if signed else 2 ** self.bits - 1

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def is_floating_point(input):
    return input.dtype.is_floating_point


def is_complex(input):
    return input.dtype.is_complex


def is_inference(input):
    return False


def get_num_interop_threads():
    return 1


def set_num_interop_threads(count):
    """assay runs operators one after the other."""


def use_deterministic_algorithms(mode, *, warn_only=False):
    """assay's kernels are deterministic whatever is asked."""
    _deterministic[:] = [bool(mode), bool(warn_only)]


def are_deterministic_algorithms_enabled():
    return _deterministic[0]


def is_deterministic_algorithms_warn_only_enabled():
    return _deterministic[1]


def set_deterministic_debug_mode(mode):
    names = {"default": 0, "warn": 1, "error": 2}
    number = names.get(mode, mode)
    if number not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, 2 or 'default', 'warn', 'error', but got {mode}")
    use_deterministic_algorithms(number > 0, warn_only=number == 1)


def get_deterministic_debug_mode():
    return (1 if _deterministic[1] else 2) if _deterministic[0] else 0


def set_float32_matmul_precision(precision):
    """float32 products are never rounded to less."""
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"{precision} is not one of 'highest', 'high', or 'medium'")
    _precision[0] = precision


def get_float32_matmul_precision():
    return _precision[0]


def set_warn_always(on):
    _warn_always[0] = bool(on)


def is_warn_always_enabled():
    return _warn_always[0]


def set_flush_denormal(mode):
    """False: assay keeps denormal numbers."""
    return not mode


def compiled_with_cxx11_abi():
    return True


def typename(obj):
    """The name of a tensor's or an object's type."""
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", "") or ""
    name = getattr(kind, "__qualname__", str(kind))
    return name if module in ("", "builtins", "__builtin__") else f"{module}.{name}"


def _assert(condition, message):
    """An assert that tracing by torch.fx records."""
    from . import overrides
    if type(condition) is not Tensor and overrides.has_torch_function((condition,)):
        return overrides.handle_torch_function(_assert, (condition,), condition, message)
    assert condition, message


def from_dlpack(data):
    from .utils import dlpack
    return dlpack.from_dlpack(data)


def to_dlpack(tensor):
    from .utils import dlpack
    return dlpack.to_dlpack(tensor)
