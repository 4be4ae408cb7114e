"""torch.Size, and the names that annotations use."""

import builtins
from typing import Any, List, Sequence, Tuple, Union

from assay import _engine as _C
from ._tensor import Tensor


class Size(tuple):
    """The sizes of a tensor: a tuple of ints."""

    __module__ = __package__
    __slots__ = ()

    def __new__(cls, sizes=()):
        items = tuple(sizes)
        for position, item in enumerate(items):
            if not isinstance(item, (int, Tensor)) and not hasattr(item, "__index__"):
                raise TypeError("torch.Size() takes an iterable of 'int' "
                                f"(item {position} is '{type(item).__name__}')")
        return super().__new__(cls, (i if isinstance(i, (int, Tensor)) else i.__index__() for i in items))

    def __repr__(self):
        return f"torch.Size([{', '.join(str(int(i)) for i in self)}])"

    __str__ = __repr__

    def __getitem__(self, index):
        item = super().__getitem__(index)
        return Size(item) if isinstance(index, slice) else item

    def __add__(self, other):
        if not isinstance(other, tuple):
            return NotImplemented
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        if not isinstance(other, tuple):
            return NotImplemented
        return Size(tuple.__add__(other, self))

    def __mul__(self, count):
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __reduce__(self):
        return Size, (tuple(self),)

    def numel(self):
        """How many elements a tensor of these sizes has: a number, which leaves the graph of a trace."""
        result = 1
        for size in self:
            result = result * builtins.int(size)
        return result


_C.set_size_class(Size)

_int = builtins.int
_float = builtins.float
_bool = builtins.bool
_dtype = _C.dtype
_device = _C.device
_size = Union[Size, List[_int], Tuple[_int, ...]]
_layout = _C.layout
Number = Union[builtins.int, builtins.float, builtins.bool]
Device = Union[_device, str, None]
_TensorOrTensors = Union[Tensor, Sequence[Tensor]]
Storage = Any
