"""Types of arguments that are one number or one for each dimension."""
from typing import Optional, Tuple, TypeVar, Union

from .._package import torch

Tensor = torch.Tensor
T = TypeVar('T')


def _one_or(count):
    """A value, or a tuple of that many."""
    return Union[T, Tuple[(T,) * count]]


_COUNTS = range(1, 7)
_scalar_or_tuple_any_t = Union[T, Tuple[(T, ...)]]
(_scalar_or_tuple_1_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t, _scalar_or_tuple_4_t, _scalar_or_tuple_5_t,
 _scalar_or_tuple_6_t) = map(_one_or, _COUNTS)

_size_any_t, _size_any_opt_t, _ratio_any_t, _tensor_list_t = (
    _scalar_or_tuple_any_t[kind] for kind in (int, Optional[int], float, Tensor))
_size_1_t, _size_2_t, _size_3_t, _size_4_t, _size_5_t, _size_6_t = (_one_or(count)[int] for count in _COUNTS)
_size_2_opt_t, _size_3_opt_t = (_one_or(count)[Optional[int]] for count in (2, 3))
_ratio_2_t, _ratio_3_t = (_one_or(count)[float] for count in (2, 3))
_maybe_indices_t = _one_or(2)[Tensor]
