"""Switches of libraries that PyTorch runs on: kept for programs that set them."""

import types as _types


def _part(name, **attributes):
    part = _types.ModuleType(f"{__name__}.{name}")
    part.__dict__.update(attributes)
    return part


cudnn = _part("cudnn", enabled=True, benchmark=False, deterministic=False, allow_tf32=True,
              is_available=lambda: False, version=lambda: None)
mkldnn = _part("mkldnn", enabled=True, is_available=lambda: True)
mkl = _part("mkl", is_available=lambda: False)
openmp = _part("openmp", is_available=lambda: True)
mps = _part("mps", is_available=lambda: False, is_built=lambda: False)
cuda = _part("cuda", is_built=lambda: False, matmul=_types.SimpleNamespace(
    allow_tf32=False, allow_fp16_reduced_precision_reduction=True))
quantized = _part("quantized", engine="none", supported_engines=["none"])

import sys as _sys  # noqa: E402

for _part_of in (cudnn, mkldnn, mkl, openmp, mps, cuda, quantized):
    _sys.modules[_part_of.__name__] = _part_of
