"""How the losses of single elements become one: names, the operators' numbers for them, and old arguments."""
import warnings
from typing import Optional


def get_enum(reduction: str) -> int:
    if reduction == 'none':
        return 0
    elif reduction == 'mean':
        return 1
    elif reduction == 'elementwise_mean':
        warnings.warn("reduction='elementwise_mean' is deprecated, please use reduction='mean' instead.")
        return 1
    elif reduction == 'sum':
        return 2
    else:
        raise ValueError("{} is not a valid value for reduction".format(reduction))


def legacy_get_string(size_average: Optional[bool], reduce: Optional[bool], emit_warning: bool = True) -> str:
    """The reduction that the arguments size_average and reduce of old versions stood for."""
    if size_average is None:
        size_average = True
    if reduce is None:
        reduce = True
    if size_average and reduce:
        name = 'mean'
    elif reduce:
        name = 'sum'
    else:
        name = 'none'
    if emit_warning:
        warnings.warn("size_average and reduce args will be deprecated, please use reduction='{}' instead.".format(name))
    return name


def legacy_get_enum(size_average: Optional[bool], reduce: Optional[bool], emit_warning: bool = True) -> int:
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
