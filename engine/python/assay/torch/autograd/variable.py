"""The former name of tensors."""

from .._tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """Variable(x) is x."""

    def __new__(cls, data=None, requires_grad=None, volatile=None):
        return data if requires_grad is None else data.requires_grad_(requires_grad)
