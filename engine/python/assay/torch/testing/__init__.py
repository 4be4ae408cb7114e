"""torch.testing: assert_close and make_tensor."""

from collections.abc import Mapping, Sequence

from assay import _engine as _C
from .. import _creation
from .._tensor import Tensor
from ._make_tensor import make_tensor  # noqa: F401

# How far two results of a type may differ unless told otherwise: relatively, absolutely.
_BOUNDS = {_C.float16: (1e-3, 1e-5), _C.bfloat16: (1.6e-2, 1e-5), _C.float32: (1.3e-6, 1e-5),
           _C.float64: (1e-7, 1e-7), _C.complex64: (1.3e-6, 1e-5), _C.complex128: (1e-7, 1e-7)}
_EXACT = (0.0, 0.0)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False,
                 check_device=True, check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """AssertionError unless both are alike and their elements near each other."""
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")
    options = (rtol, atol, equal_nan, check_device, check_dtype, check_stride, msg)
    _compare(actual, expected, "", options)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """As assert_close, of what need not be tensors, of any types and devices: the earlier function."""
    actual, expected = _tensor_of(actual), _tensor_of(expected)
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=False,
                 check_dtype=False, msg=msg or None)


def _fail(message, place, told):
    at = f" at {place}" if place else ""
    raise AssertionError(told(message) if callable(told) else told or f"{message}{at}")


def _compare(actual, expected, place, options):
    told = options[-1]
    if isinstance(actual, Tensor) and isinstance(expected, Tensor):
        _compare_tensors(actual, expected, place, options)
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            _fail(f"The keys differ: {sorted(map(str, actual))} and {sorted(map(str, expected))}", place, told)
        for key in actual:
            _compare(actual[key], expected[key], f"{place}[{key!r}]", options)
    elif _is_list(actual) and _is_list(expected):
        if len(actual) != len(expected):
            _fail(f"The lengths differ: {len(actual)} and {len(expected)}", place, told)
        for index, (one, other) in enumerate(zip(actual, expected)):
            _compare(one, other, f"{place}[{index}]", options)
    else:
        _compare_tensors(actual, expected, place, options)


def _is_list(value):
    return isinstance(value, Sequence) and not isinstance(value, str)


def _compare_tensors(actual, expected, place, options):
    rtol, atol, equal_nan, check_device, check_dtype, check_stride, told = options
    one, other = _tensor_of(actual), _tensor_of(expected)
    one_type, other_type = one.dtype, other.dtype
    same_device = one.device == other.device
    if one.shape != other.shape:
        _fail(f"The sizes differ: {tuple(one.shape)} and {tuple(other.shape)}", place, told)
    if check_device and not same_device:
        _fail(f"The devices differ: {one.device} and {other.device}", place, told)
    if check_dtype and one_type != other_type:
        _fail(f"The element types differ: {one_type} and {other_type}", place, told)
    if check_stride and one.stride() != other.stride():
        _fail(f"The strides differ: {one.stride()} and {other.stride()}", place, told)
    if rtol is None:
        rtol, atol = map(max, _BOUNDS.get(one_type, _EXACT), _BOUNDS.get(other_type, _EXACT))
    alike = same_device and one_type == other_type  # Most are equal, which is asked soonest.
    if alike and (_C.functions["equal"](one, other) or _C.functions["allclose"](one, other, rtol, atol, equal_nan)):
        return
    common = _C.functions["promote_types"](one_type, other_type)
    one, other = one.cpu().to(common), other.cpu().to(common)
    near = _C.functions["isclose"](one, other, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if not near.all():
        wrong = int((~near).sum())
        _fail(f"{wrong} of {near.numel()} elements are not close (rtol {rtol}, atol {atol}): "
              f"{one[~near].reshape(-1)[:3].tolist()} and {other[~near].reshape(-1)[:3].tolist()}", place, told)


def _tensor_of(value):
    return value if isinstance(value, Tensor) else _creation.as_tensor(value)


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'testing.{name}' yet")
