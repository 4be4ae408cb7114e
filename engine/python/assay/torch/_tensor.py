"""torch.Tensor: what the engine's tensors have beyond the operators of the catalog."""

import copy
import warnings
from collections import OrderedDict

from assay import _engine as _C
from . import _builtin_methods as _builtin


class Tensor(_C.TensorBase):
    """An array of elements of one type."""

    __module__ = __package__
    __hash__ = _C.TensorBase.__hash__
    __array_priority__ = 1000
    apply_, cuda, map_, new = _builtin.apply_, _builtin.cuda, _builtin.map_, _builtin.new
    new_tensor, nonzero, type = _builtin.new_tensor, _builtin.nonzero, _builtin.type

    def __new__(cls, *args, **keywords):
        if cls is not Tensor and len(args) == 1 and isinstance(args[0], Tensor) and not keywords:
            return Tensor._make_subclass(cls, args[0])
        from ._creation import legacy_tensor
        made = legacy_tensor(None, *args, **keywords)
        return made if cls is Tensor else made.as_subclass(cls)

    def __init__(self, *args, **keywords):
        super().__init__()

    def __getattr__(self, name):
        """Only what is not there comes here."""
        if name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}', or assay's tensors have "
                             "not got it yet")

    @classmethod
    def __torch_function__(cls, function, types, args=(), keywords=None):
        """Calls as they are; results that are tensors become tensors of this class."""
        before = _C.set_torch_function_enabled(False)
        try:
            result = function(*args, **(keywords or {}))
        finally:
            _C.set_torch_function_enabled(before)
        return _as_class(result, cls)

    def __repr__(self, *, tensor_contents=None):
        from . import _tensor_str
        return _tensor_str.text_of(self, tensor_contents)

    def __format__(self, spec):
        if self.dim() == 0 and type(self) is Tensor:
            return self.item().__format__(spec)
        return object.__format__(self, spec)

    def __contains__(self, element):
        if isinstance(element, (Tensor, int, float, complex, bool)):
            return bool((element == self).any().item())
        raise RuntimeError(
            f"a tensor contains numbers: `in` takes a tensor or a number, not a {type(element).__name__}")

    def __reversed__(self):
        return self if self.dim() == 0 else self.flip(0)

    def __array__(self, dtype=None):
        _hands_out(self, "__array__")
        array = self._array()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __array_wrap__(self, array):
        from ._creation import from_numpy
        if array.dtype == bool:
            array = array.astype("uint8")
        return from_numpy(array)

    def __dir__(self):
        return sorted(set(dir(type(self))) | set(self.__dict__))

    def __setstate__(self, state):
        self.__dict__.update(state)

    def numpy(self, *, force=False):
        """The elements as a numpy array on the same bytes."""
        _hands_out(self, "numpy")
        return (self.detach().cpu() if force else self)._array()

    def _array(self):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. "
                               "Use tensor.detach().numpy() instead.")
        import numpy
        if _C._get_tracing_state() is not None:
            from .jit import TracerWarning
            warnings.warn("Converting a tensor to a NumPy array takes it out of the trace: what numpy makes of it is a "
                          "constant there.", category=TracerWarning, stacklevel=2)
            self = _handed_out(self)
        return numpy.asarray(_C.array_of(self))

    @property
    def grad_fn(self):
        """What stands for the operator that a tensor which asks for gradients came from."""
        if self.is_leaf:
            return None
        from .autograd.graph import Node
        return Node()

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError("copy.deepcopy() takes leaf tensors alone, and this one was computed from tensors that "
                               "require grad: copy its detach()")
        from .storage import copy_with_storage
        made = copy_with_storage(self, memo)
        if type(self) is not Tensor:
            made = made.as_subclass(type(self))
        made.requires_grad = self.requires_grad
        if self.grad is not None:
            made.grad = copy.deepcopy(self.grad, memo)
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        memo[id(self)] = made
        return made

    def __copy__(self):
        made = self.detach()
        made.requires_grad = self.requires_grad
        return made if type(self) is Tensor else made.as_subclass(type(self))

    def __reduce_ex__(self, protocol):
        from . import _utils
        if type(self) is not Tensor or self.__dict__:
            return _utils._rebuild_from_type_v2, (
                _utils._rebuild_tensor_v2, type(self), self._pieces(), self.__dict__)
        return _utils._rebuild_tensor_v2, self._pieces()

    def _pieces(self):
        return (self.storage(), self.storage_offset(), tuple(self.size()), self.stride(),
                self.requires_grad, OrderedDict())

    def storage(self):
        """The bytes below, as a one-dimensional array of this type."""
        _hands_out(self, "storage")
        return self._typed_storage()

    def _typed_storage(self):
        from .storage import TypedStorage
        return TypedStorage(self)

    def storage_type(self):
        from . import storage
        return storage.class_of(self.dtype)

    def split(self, split_size, dim=0):
        from .functional import split
        return split(self, split_size, dim)

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        from .functional import norm
        return norm(self, p, dim, keepdim, dtype=dtype)

    def lu(self, pivot=True, get_infos=False):
        from .functional import lu
        return lu(self, pivot, get_infos)

    def stft(self, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
             normalized=False, onesided=None, return_complex=None):
        from .functional import stft
        return stft(self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided,
                    return_complex)

    def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
        from .functional import unique
        return unique(self, sorted, return_inverse, return_counts, dim)

    def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
        from .functional import unique_consecutive
        return unique_consecutive(self, return_inverse, return_counts, dim)

    def unflatten(self, dim, sizes):
        from .functional import unflatten
        return unflatten(self, dim, sizes)


    def is_shared(self):
        return False

    def share_memory_(self):
        return self

    def pin_memory(self, device=None):
        raise RuntimeError("Cannot pin memory: there are no CUDA devices whose copies it would speed up")

    def dim_order(self):
        return tuple(sorted(range(self.dim()), key=lambda i: -self.stride(i)))

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        from .autograd import refuse_gradients
        refuse_gradients("Tensor.backward()")

    def register_hook(self, hook):
        from .autograd import refuse_gradients
        refuse_gradients("Tensor.register_hook()")

    def retain_grad(self):
        if not self.requires_grad:
            raise RuntimeError("retain_grad() is for tensors that require gradients, which this one does not")

    def __dlpack__(self, stream=None):
        from .utils.dlpack import to_dlpack
        _hands_out(self, "__dlpack__")
        if self.requires_grad:
            raise RuntimeError("DLPack has no gradients: export tensor.detach()")
        return to_dlpack(self)

    def __dlpack_device__(self):
        if self.device.type != "cpu":
            raise ValueError(f"DLPack cannot name the device {self.device}")
        return 1, 0

    __cuda_array_interface__ = property(lambda self: _no_cuda_array())


def _hands_out(tensor, method):
    """The tensor's memory goes where a tracer does not see what becomes of it."""
    tracer = _C._get_tracing_state()
    if tracer is not None:
        tracer.escape("numpy", f"{tracer.expression(tensor, False)}.{method}()", "", True)


def _handed_out(self):  # `self`, and no other name: a trace calls values by those of variables.
    """The tensor as PyTorch prepares it for numpy, which a trace shows."""
    return _C.functions["resolve_neg"](_C.functions["resolve_conj"](_C.functions["to"](
        _C.functions["detach"](self), dtype=self.dtype, layout=self.layout, device=_C.device("cpu"), pin_memory=None,
        non_blocking=False, copy=False, memory_format=None)))


def _no_cuda_array():
    raise AttributeError("only tensors of real CUDA devices have __cuda_array_interface__")


def _as_class(result, cls):
    if cls is Tensor:
        return result
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else result.as_subclass(cls)
    if isinstance(result, (tuple, list)) and type(result) in (tuple, list):
        return type(result)(_as_class(item, cls) for item in result)
    return result



_C.set_tensor_class(Tensor)
