"""Tensors that a module owns: Parameter, and the ones whose shape the first call decides."""
from collections import OrderedDict

from assay import _engine as _C
from .._package import torch

Tensor = torch.Tensor


class _ParameterMeta(type(Tensor)):
    def __instancecheck__(cls, instance):
        marked = isinstance(instance, Tensor) and getattr(instance, '_is_param', False)
        return super().__instancecheck__(instance) or marked


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that becomes part of a module's state when it is assigned as an attribute."""

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = torch.empty(0)
        if type(data) is Tensor or type(data) is Parameter:
            return Tensor._make_subclass(cls, data, requires_grad)
        own = data.detach().requires_grad_(requires_grad)  # a user's tensor class stays what it is
        if type(own) is not type(data):
            raise RuntimeError(
                f"a Parameter of {type(data).__name__} needs its detach() to return the same class, "
                f"which returned {type(own).__name__}")
        own._is_param = True
        return own

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(memory_format=torch.preserve_format), self.requires_grad)
        return memo[id(self)]

    def __repr__(self):
        return 'Parameter containing:\n' + super().__repr__()

    def __reduce_ex__(self, protocol):
        return _rebuild_parameter, (self.data, self.requires_grad, OrderedDict())

    # What operators make of parameters are plain tensors.
    __torch_function__ = _C._disabled_torch_function_impl


def _rebuild_parameter(data, requires_grad, backward_hooks):
    return Parameter(data, requires_grad)


_rebuild_parameter.__module__ = torch.__name__ + "._utils"  # By which files call it.


class UninitializedTensorMixin:
    """What a tensor without a shape can do: be converted, be asked for its device, be materialized."""

    cls_to_become = None

    _allowed_methods = [
        Tensor.__hash__, Tensor.size, Tensor.copy_, Tensor.is_floating_point, Tensor.half, Tensor.float,
        Tensor.double, Tensor.char, Tensor.short, Tensor.int, Tensor.long, Tensor.cuda, Tensor.cpu, Tensor.to,
        Tensor.get_device,
    ]

    def materialize(self, shape, device=None, dtype=None):
        """Becomes an ordinary tensor of `shape`, its elements not yet set."""
        device = self.data.device if device is None else device
        dtype = self.data.dtype if dtype is None else dtype
        self.data = torch.empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError(
            "an uninitialized parameter or buffer has no shape yet: call the lazy module once, or load a state "
            "dict into it, before asking (a state dict with uninitialized entries fits only lazy modules)")

    def share_memory_(self):
        raise RuntimeError("an uninitialized parameter or buffer has no memory to share: call the lazy module once")

    def __repr__(self):
        return f'<{type(self).__name__}>'

    def __reduce_ex__(self, protocol):
        return type(self), (self.requires_grad,)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        # Properties arrive as their getters, which carry no comparable identity.
        if func in cls._allowed_methods or type(func).__name__ == 'method-wrapper':
            return super().__torch_function__(func, types, args, {} if kwargs is None else kwargs)
        raise ValueError(
            f"{func} met an uninitialized parameter: call the lazy module once with an example before using it")


def is_lazy(tensor):
    """Whether `tensor` still waits for its shape."""
    return isinstance(tensor, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A Parameter of a lazy module before its first call."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Tensor._make_subclass(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer of a lazy module before its first call."""

    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None):
        return Tensor._make_subclass(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)
