"""Functions that are a form of the language in compiled code."""

from .. import _jit_internal


def _unwrap_optional(x):
    """The value, which must not be None; in compiled code it is then of the type without None."""
    assert x is not None, "Unwrapping null optional"
    return x


def unchecked_cast(the_type, the_value):
    return the_value


def isinstance_(obj, target_type):
    """As isinstance, for types with parameters: List[int], Optional[Tensor]."""
    return _jit_internal._isinstance(obj, target_type)
