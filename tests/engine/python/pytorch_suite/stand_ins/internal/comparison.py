"""Whether two results are alike, by the rules that PyTorch's tests hold them to."""

import cmath
from collections.abc import Mapping, Sequence

import torch
import torch.testing


def difference(actual, expected, rtol=None, atol=None, exact_dtype=True, place=""):
    """What makes two values differ, as a text; None if they are alike."""
    if isinstance(actual, torch.Tensor) or isinstance(expected, torch.Tensor):
        return _of_tensors(actual, expected, rtol, atol, exact_dtype, place)
    if _is_array(actual) or _is_array(expected):
        return _of_tensors(torch.as_tensor(actual), torch.as_tensor(expected), rtol, atol, exact_dtype, place)
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        return _of_mappings(actual, expected, rtol, atol, exact_dtype, place)
    if _is_list(actual) and _is_list(expected):
        return _of_lists(actual, expected, rtol, atol, exact_dtype, place)
    if _is_number(actual) and _is_number(expected):
        return None if _near(actual, expected, rtol, atol) else _told(actual, expected, place)
    try:
        return None if bool(actual == expected) else _told(actual, expected, place)
    except Exception as error:
        return f"comparing raised {error!r}{place}"


def _told(actual, expected, place):
    return f"{actual!r} is not {expected!r}{place}"


def _is_array(value):
    return type(value).__module__ == "numpy" and hasattr(value, "dtype")


def _is_list(value):
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _is_number(value):
    return isinstance(value, (bool, int, float, complex))


def _near(actual, expected, rtol, atol):
    if isinstance(actual, bool) and isinstance(expected, bool):
        return actual == expected
    if isinstance(actual, int) and isinstance(expected, int) and rtol is None and atol is None:
        return actual == expected
    if cmath.isnan(actual) or cmath.isnan(expected):
        return cmath.isnan(actual) and cmath.isnan(expected)
    if cmath.isinf(actual) or cmath.isinf(expected):
        return actual == expected
    if rtol is None and atol is None:
        rtol, atol = 1e-7, 1e-7
    return abs(actual - expected) <= (atol or 0) + (rtol or 0) * abs(expected)


def _of_lists(actual, expected, rtol, atol, exact_dtype, place):
    if len(actual) != len(expected):
        return f"the lengths are {len(actual)} and {len(expected)}{place}"
    for index, (one, other) in enumerate(zip(actual, expected)):
        found = difference(one, other, rtol, atol, exact_dtype, f"{place} at {index}")
        if found:
            return found
    return None


def _of_mappings(actual, expected, rtol, atol, exact_dtype, place):
    if set(actual) != set(expected):
        return f"the keys are {list(actual)} and {list(expected)}{place}"
    for key in actual:
        found = difference(actual[key], expected[key], rtol, atol, exact_dtype, f"{place} at {key!r}")
        if found:
            return found
    return None


def _of_tensors(actual, expected, rtol, atol, exact_dtype, place):
    both = isinstance(actual, torch.Tensor) and isinstance(expected, torch.Tensor)
    if not both:
        tensor, other = (actual, expected) if isinstance(actual, torch.Tensor) else (expected, actual)
        if not _is_number(other) or tensor.numel() != 1:
            return f"{actual!r} and {expected!r} are of different kinds{place}"
        tensor = tensor.item()
        ours, theirs = (tensor, other) if isinstance(actual, torch.Tensor) else (other, tensor)
        return None if _near(ours, theirs, rtol or 1.3e-6, atol or 1e-5) else _told(ours, theirs, place)
    if (rtol is None) != (atol is None):
        rtol, atol = rtol or 0.0, atol or 0.0
    if actual.is_quantized and expected.is_quantized:
        actual, expected = actual.int_repr(), expected.int_repr()
    try:
        torch.testing.assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=True, check_dtype=exact_dtype)
    except AssertionError as error:
        return f"{error}{place}"
    return None


