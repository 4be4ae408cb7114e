"""Switches of libraries that PyTorch runs on: kept for programs that set them."""

import contextlib as _contextlib
import types as _types


def _part(name, **attributes):
    part = _types.ModuleType(f"{__name__}.{name}")
    part.__dict__.update(attributes)
    return part


def flags_frozen():
    """Whether switches must be set by a `with flags(...)`: never."""
    return False


__allow_nonbracketed_mutation_flag = True


def _set_cudnn_flags(_enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None):
    """Sets what is given; what it was before."""
    given = {"enabled": _enabled, "benchmark": _benchmark, "deterministic": _deterministic, "allow_tf32": _allow_tf32}
    before = tuple(getattr(cudnn, name) for name in given)
    for name, value in given.items():
        if value is not None:
            setattr(cudnn, name, value)
    return (*before[:2], None, *before[2:])


@_contextlib.contextmanager
def _cudnn_flags(enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True):
    before = _set_cudnn_flags(enabled, benchmark, benchmark_limit, deterministic, allow_tf32)
    try:
        yield
    finally:
        _set_cudnn_flags(*before)


_attention = {"flash": True, "math": True}


def _enable_attention(kind):
    def enable(enabled):
        _attention[kind] = bool(enabled)
    return enable


@_contextlib.contextmanager
def _sdp_kernel(enable_flash=True, enable_math=True):
    """Which way of CUDA's attention may be taken: kept for programs that ask."""
    before = dict(_attention)
    _attention.update(flash=enable_flash, math=enable_math)
    try:
        yield
    finally:
        _attention.update(before)


cudnn = _part("cudnn", flags=_cudnn_flags, set_flags=_set_cudnn_flags, enabled=True, benchmark=False, deterministic=False, allow_tf32=True,
              is_available=lambda: False, version=lambda: None)
mkldnn = _part("mkldnn", enabled=True, is_available=lambda: True)
mkl = _part("mkl", is_available=lambda: False)
openmp = _part("openmp", is_available=lambda: True)
mps = _part("mps", is_available=lambda: False, is_built=lambda: False)
cuda = _part("cuda", is_built=lambda: False, matmul=_types.SimpleNamespace(
    allow_tf32=False, allow_fp16_reduced_precision_reduction=True), sdp_kernel=_sdp_kernel,
    flash_sdp_enabled=lambda: _attention["flash"], math_sdp_enabled=lambda: _attention["math"],
    enable_flash_sdp=_enable_attention("flash"), enable_math_sdp=_enable_attention("math"))
quantized = _part("quantized", engine="none", supported_engines=["none"])

import sys as _sys  # noqa: E402

for _part_of in (cudnn, mkldnn, mkl, openmp, mps, cuda, quantized):
    _sys.modules[_part_of.__name__] = _part_of
