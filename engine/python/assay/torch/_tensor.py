"""torch.Tensor: what the engine's tensors have beyond the operators of the catalog."""

import copy
import warnings
from collections import OrderedDict

from assay import _engine as _C
from . import storage as _storage
from ._absent import refuse_gradients
from ._rebuilding import _rebuild_from_type_v2, _rebuild_tensor_v2
from ._tracer_warning import warn_of_trace
from .utils.dlpack import to_dlpack


class Tensor(_C.TensorBase):
    """An array of elements of one type."""

    __module__ = __package__
    __hash__ = _C.TensorBase.__hash__
    __array_priority__ = 1000

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
            warn_of_trace("Converting a tensor to a NumPy array takes it out of the trace: what numpy makes of it is a "
                          "constant there.")
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
        made = _storage.copy_with_storage(self, memo)
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
        if type(self) is not Tensor or self.__dict__:
            return _rebuild_from_type_v2, (_rebuild_tensor_v2, type(self), self._pieces(), self.__dict__)
        return _rebuild_tensor_v2, self._pieces()

    def _pieces(self):
        return (self.storage(), self.storage_offset(), tuple(self.size()), self.stride(),
                self.requires_grad, OrderedDict())

    def storage(self):
        """The bytes below, as a one-dimensional array of this type."""
        _hands_out(self, "storage")
        return self._typed_storage()

    def _typed_storage(self):
        return _storage.TypedStorage(self)

    def storage_type(self):
        return _storage.class_of(self.dtype)

    def is_shared(self):
        return False

    def share_memory_(self):
        return self

    def pin_memory(self, device=None):
        raise RuntimeError("Cannot pin memory: there are no CUDA devices whose copies it would speed up")

    def dim_order(self):
        return tuple(sorted(range(self.dim()), key=lambda i: -self.stride(i)))

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        refuse_gradients("Tensor.backward()")

    def register_hook(self, hook):
        refuse_gradients("Tensor.register_hook()")

    def retain_grad(self):
        if not self.requires_grad:
            raise RuntimeError("retain_grad() is for tensors that require gradients, which this one does not")

    def __dlpack__(self, stream=None):
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
