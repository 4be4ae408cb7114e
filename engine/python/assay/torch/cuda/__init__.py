"""CUDA devices: none, or the engine's fakes where the environment asks for them (ASSAY_FAKE_CUDA=1)."""

import contextlib

from assay import _engine as _C
from .. import _legacy_types
from .._absent import names
from . import amp  # noqa: F401

_current = [0]
_initialized = False  # There is nothing to begin with.


def is_available():
    return _C.cuda_devices() > 0


def device_count():
    return _C.cuda_devices()


def is_initialized():
    return is_available()


def init():
    _require()


def _require():
    if not is_available():
        raise AssertionError("there is no CUDA device here")


def current_device():
    _require()
    return _current[0]


def _index(device):
    if device is None:
        return _current[0]
    if isinstance(device, int):
        return device
    found = _C.device(device)
    return _current[0] if found.index is None else found.index


def set_device(device):
    _require()
    _current[0] = _index(device)


class device:
    """Makes a device the current one inside."""

    def __init__(self, device):
        self.index = _index(device)

    def __enter__(self):
        self.before = _current[0]
        if self.index >= 0:
            _current[0] = self.index

    def __exit__(self, *exception):
        _current[0] = self.before
        return False


def get_device_name(device=None):
    _require()
    return "assay fake CUDA device"


def get_device_capability(device=None):
    _require()
    return 0, 0


def synchronize(device=None):
    _require()


def empty_cache():
    """Nothing is kept."""


def manual_seed(seed):
    """Fake devices draw from the CPU's generator, which has a seed of its own."""


manual_seed_all = manual_seed


def seed():
    """As manual_seed."""


def memory_allocated(device=None):
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


@contextlib.contextmanager
def stream(stream):
    yield


def get_arch_list():
    return []


def get_gencode_flags():
    return ""


def get_rng_state_all():
    """A state for each device, of which none has one of its own."""
    return []


def set_rng_state_all(new_states):
    """As get_rng_state_all: there are none to set."""


def ipc_collect():
    """Nothing is kept for other processes."""


def is_current_stream_capturing():
    return False


def _is_in_bad_fork():
    return False


def memory_stats(device=None):
    return {}


def reset_peak_memory_stats(device=None):
    """Nothing is counted."""


reset_max_memory_allocated = reset_max_memory_cached = reset_accumulated_memory_stats = reset_peak_memory_stats
memory_cached = max_memory_cached = memory_allocated
seed_all = seed


class OutOfMemoryError(RuntimeError):
    """Raised where a device has no memory left."""


def is_bf16_supported():
    return False


def current_stream(device=None):
    _require()


def get_device_properties(device=None):
    _require()
    raise NotImplementedError("assay's fake CUDA devices have no properties")


for _name, _kind in _legacy_types.tensor_types("cuda").items():
    globals()[_name] = _kind
del _name, _kind

__getattr__ = names(__name__, """
    CUDAGraph CudaError DeferredCudaCallError Event ExternalStream Stream StreamContext can_device_access_peer
    caching_allocator_alloc caching_allocator_delete check_error cudart current_blas_handle default_generators
    default_stream device_of get_rng_state get_sync_debug_mode graph graph_pool_handle initial_seed
    list_gpu_processes make_graphed_callables mem_get_info memory_snapshot memory_summary memory_usage
    set_per_process_memory_fraction set_rng_state set_stream set_sync_debug_mode utilization""", "an engine runs on the CPU", submodules=("comm", "memory", "nvtx", "profiler", "random", "sparse", "streams"))
