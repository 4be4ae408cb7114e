"""How the losses of single elements become one: names, the operators' numbers for them, and old arguments."""
import warnings
from typing import Optional


def get_enum(reduction: str) -> int:
    if reduction == 'none':
        return 0
    if reduction == 'sum':
        return 2
    if reduction == 'elementwise_mean':
        warnings.warn("reduction: 'elementwise_mean' is the old name of 'mean'")
    elif reduction != 'mean':
        raise ValueError("reduction: '{}' is none of 'none', 'mean' and 'sum'".format(reduction))
    return 1


def legacy_get_string(size_average: Optional[bool], reduce: Optional[bool], emit_warning: bool = True) -> str:
    """The reduction that the arguments size_average and reduce of old versions stood for."""
    name = 'mean'
    if reduce is not None and not reduce:
        name = 'none'
    elif size_average is not None and not size_average:
        name = 'sum'
    if emit_warning:
        warnings.warn("size_average and reduce are old arguments: pass reduction='{}'".format(name))
    return name


def legacy_get_enum(size_average: Optional[bool], reduce: Optional[bool], emit_warning: bool = True) -> int:
    name = legacy_get_string(size_average, reduce, emit_warning)
    return get_enum(name)
