"""Methods of tensors that are made of what is made of tensors: given to the class when all of that is there."""

from assay import _engine as _C
from . import _builtin_methods, functional
from ._creation import from_numpy, legacy_tensor
from ._tensor import Tensor
from ._tensor_str import text_of
from ._tracer_warning import warn_of_constant


def __new__(cls, *args, **keywords):
    if cls is not Tensor and len(args) == 1 and isinstance(args[0], Tensor) and not keywords:
        return Tensor._make_subclass(cls, args[0])
    if _C._get_tracing_state() is not None:
        warn_of_constant("torch.Tensor")
    made = legacy_tensor(None, *args, **keywords)
    return made if cls is Tensor else made.as_subclass(cls)


def __repr__(self, *, tensor_contents=None):
    return text_of(self, tensor_contents)


def __array_wrap__(self, array):
    if array.dtype == bool:
        array = array.astype("uint8")
    return from_numpy(array)


def split(self, split_size, dim=0):
    return functional.split(self, split_size, dim)


def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
    return functional.norm(self, p, dim, keepdim, dtype=dtype)


def lu(self, pivot=True, get_infos=False):
    return functional.lu(self, pivot, get_infos)


def stft(self, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
         onesided=None, return_complex=None):
    return functional.stft(self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided,
                           return_complex)


def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    return functional.unique(self, sorted, return_inverse, return_counts, dim)


def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    return functional.unique_consecutive(self, return_inverse, return_counts, dim)


def unflatten(self, dim, sizes):
    return functional.unflatten(self, dim, sizes)


def _give(methods):
    for method in methods:
        method.__qualname__ = f"Tensor.{method.__name__}"
        setattr(Tensor, method.__name__, method)


Tensor.__new__ = staticmethod(__new__)
_give((__repr__, __array_wrap__, split, norm, lu, stft, unique, unique_consecutive, unflatten))
for _name in ("apply_", "cuda", "map_", "new", "new_tensor", "nonzero", "type"):
    setattr(Tensor, _name, getattr(_builtin_methods, _name))
