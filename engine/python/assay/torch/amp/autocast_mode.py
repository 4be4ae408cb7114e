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
            raise RuntimeError("User specified autocast device_type must be 'cuda' or 'cpu'")
        self.device = device_type
        self.fast_dtype = dtype or _C.autocast_mode(device_type)[1]
        if device_type == "cuda" and enabled and not _C.cuda_devices():
            warnings.warn("User provided device_type of 'cuda', but CUDA is not available. Disabling")
            enabled = False
        if device_type == "cpu" and enabled and self.fast_dtype is not _C.bfloat16:
            warnings.warn("In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                          "CPU Autocast only supports dtype of torch.bfloat16 currently.")
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
