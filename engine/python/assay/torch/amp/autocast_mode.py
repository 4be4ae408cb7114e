"""torch.autocast: operators in lower precision inside of a region."""

import functools
import warnings

from assay import _engine as _C


def is_autocast_enabled():
    return _C.autocast_mode("cuda")[0]


def is_autocast_cpu_enabled():
    return _C.autocast_mode("cpu")[0]


def get_autocast_gpu_dtype():
    return _C.autocast_mode("cuda")[1]


def get_autocast_cpu_dtype():
    return _C.autocast_mode("cpu")[1]


class autocast:
    """A region, as a context manager or a decorator."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if device_type not in ("cuda", "cpu"):
            raise RuntimeError(f"autocast is for the device types 'cuda' and 'cpu', not {device_type!r}")
        self.device = device_type
        self.fast_dtype = dtype or _C.autocast_mode(device_type)[1]
        if device_type == "cuda" and enabled and not _C.cuda_devices():
            warnings.warn("there is no CUDA device: this autocast region changes nothing")
            enabled = False
        if device_type == "cpu" and enabled and self.fast_dtype is not _C.bfloat16:
            warnings.warn(f"autocast on the CPU is to torch.bfloat16, not to {self.fast_dtype}: this region "
                          "changes nothing")
            enabled = False
        self._enabled = bool(enabled)
        self._cache_enabled = True if cache_enabled is None else bool(cache_enabled)

    def __enter__(self):
        _C.enter_autocast(self.device, self._enabled, self.fast_dtype, self._cache_enabled)
        return self

    def __exit__(self, *exception):
        _C.leave_autocast()
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **keywords):
            with self:
                return function(*args, **keywords)
        return wrapped
