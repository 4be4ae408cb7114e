"""The former name of tensors."""

import warnings

from .._tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """Variable(x) is another tensor on the bytes of x, without its gradients."""

    def __new__(cls, data=None, requires_grad=False, volatile=False):
        if volatile:
            warnings.warn("Variable: volatile does nothing: write `with torch.no_grad():`", stacklevel=2)
        return Tensor._make_variable(Tensor() if data is None else data, requires_grad)
