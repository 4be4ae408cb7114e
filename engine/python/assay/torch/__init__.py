"""PyTorch's face over assay's engine: the same names, the same behaviour, no PyTorch.

What assay has not raises an error that names it. Gradients are none of its business: tensors remember
`requires_grad`, and nothing is differentiated.
"""

import builtins as _builtins
import math as _math
import sys as _sys

from assay import _engine as _C

from ._tensor import Tensor  # noqa: E402
from .types import Size  # noqa: E402
from . import _absent, _operators  # noqa: E402

# Operators that are methods alone, or that TorchScript alone calls by their names.
_NO_FUNCTIONS = {
    "Bool", "Complex", "ComplexImplicit", "Float", "FloatImplicit", "Int", "IntImplicit", "ScalarImplicit",
    "as_tensor", "contiguous", "copy", "copy_", "cpu", "cuda", "data", "dim", "element_size", "expand",
    "expand_as", "index", "is_contiguous", "is_coalesced", "is_leaf", "is_pinned", "is_set_to", "item", "len",
    "new_empty", "new_empty_strided", "new_full", "new_ones", "new_zeros", "repeat", "requires_grad_",
    "reshape_as", "set_", "set_data", "size", "sorted", "stride", "tensor", "to", "type_as", "unfold", "view",
    "view_as", "str", "random_", "normal_", "bernoulli_", "exponential_", "geometric_", "log_normal_", "cauchy_",
    "cauchy", "geometric", "log_normal", "rms_norm", "scaled_dot_product_attention",
    "random", "uniform", "add_", "alias", "slice", "pad", "zero", "numpy_T", "mT", "mH", "matrix_H", "exponential", "storage_offset", "fill_diagonal_", "masked_fill_", "sum_to_size",
}
_OF_NAMESPACES = ("special_", "linalg_", "fft_", "sym_")
globals().update({_name: _function for _name, _function in _C.functions.items()
                  if _name not in _NO_FUNCTIONS and not _name.startswith(_OF_NAMESPACES)})

# Element types, layouts, memory formats.
for _name in ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32",
              "complex64", "complex128", "bool", "bfloat16", "qint8", "quint8", "qint32", "quint4x2", "quint2x4",
              "strided", "sparse_coo", "sparse_csr", "_mkldnn", "contiguous_format", "preserve_format",
              "channels_last", "channels_last_3d", "dtype", "layout", "memory_format", "device", "Generator",
              "default_generator", "is_grad_enabled", "get_default_dtype", "get_num_threads", "set_num_threads"):
    globals()[_name] = getattr(_C, _name)
Block, Graph, Node, Type, Use, Value = _C.Block, _C.Graph, _C.Node, _C.Type, _C.Use, _C.Value
legacy_contiguous_format = contiguous_format  # noqa: F821
short, int, long, half, float, double = int16, int32, int64, float16, float32, float64  # noqa: F821
chalf, cfloat, cdouble = complex32, complex64, complex128  # noqa: F821
del _name

e, pi, inf, nan = _math.e, _math.pi, _math.inf, _math.nan

from . import _tensor_methods  # noqa: E402,F401
from ._builtin_methods import nonzero  # noqa: E402,F401
from ._creation import as_tensor, asarray, from_file, from_numpy, frombuffer, tensor  # noqa: E402,F401
from .functional import (  # noqa: E402,F401
    atleast_1d, atleast_2d, atleast_3d, block_diag, broadcast_shapes, broadcast_tensors, cartesian_prod, cdist,
    chain_matmul, einsum, is_storage, is_tensor, lu, meshgrid, norm, numel, split, stft, tensordot, unflatten,
    unique, unique_consecutive)
from ._linalg_utils import eig, lstsq, solve  # noqa: E402,F401
from ._lowrank import pca_lowrank, svd_lowrank  # noqa: E402,F401
from ._settings import *  # noqa: E402,F401,F403
from . import version  # noqa: E402
from .torch_version import __version__  # noqa: E402,F401
from . import overrides, autograd  # noqa: E402
from .autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled  # noqa: E402,F401
from .autograd.grad_mode import is_inference_mode_enabled  # noqa: E402,F401
from .random import get_rng_state, initial_seed, manual_seed, seed, set_rng_state  # noqa: E402,F401
from ._tensor_str import set_printoptions  # noqa: E402,F401
from .amp.autocast_mode import (  # noqa: E402,F401
    autocast, get_autocast_cpu_dtype, get_autocast_gpu_dtype, is_autocast_cpu_enabled, is_autocast_enabled)
from .storage import TypedStorage, UntypedStorage  # noqa: E402,F401
from ._ops import classes, ops  # noqa: E402,F401
from . import _legacy_types as _legacy  # noqa: E402
from .serialization import load, save  # noqa: E402,F401
from . import backends, cuda, fft, functional, nn, jit, linalg, random, serialization, special  # noqa: E402
from . import storage, types, utils  # noqa: E402
from .jit import ScriptModule  # noqa: E402,F401

for _name, _kind in _legacy.tensor_types().items():
    globals()[_name] = _kind
for _name, _kind in storage.storage_classes().items():
    globals()[_name] = _kind
del _name, _kind


# Classes of PyTorch's compiler, which annotations and isinstance() of packages name.
_COMPILER = _absent.names("torch._C", """
    AnyType BoolType ClassType CompilationUnit DeviceObjType DictType EnumType FloatType FunctionSchema Future
    FutureType InterfaceType IntType ListType NoneType NumberType OptionalType RRefType
    StreamObjType StringType TensorType TupleType UnionType""",
                         "a type tells by kind() what it is")
_SPARSE = _absent.names("torch", """
    sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor
    sparse_compressed_tensor dsmm hsmm hspmm saddmm smm sspaddmm""",
                        "assay's tensors are dense. Convert with to_dense() in PyTorch")
_MODULES = frozenset("""
    __config__ __future__ _VF _jit_internal _six _utils amp ao cpu distributed distributions futures fx hub library masked monitor
    multiprocessing nested onnx optim package profiler quantization return_types sparse testing""".split())


def __getattr__(name):
    if name in _MODULES:
        import importlib
        return importlib.import_module("." + name, __name__)
    if name in _COMPILER.listed:
        return getattr(_C, name)
    if name in _SPARSE.listed:
        return _SPARSE(name)
    raise AttributeError(f"assay's torch has no '{name}' yet")


# Switches of PyTorch's compiler, which programs set for its sake.
_SWITCHES = {"_jit_set_profiling_executor": True, "_jit_set_profiling_mode": True, "_jit_set_texpr_fuser_enabled": True,
             "_jit_set_nvfuser_enabled": False, "_jit_override_can_fuse_on_cpu": False,
             "_jit_override_can_fuse_on_gpu": False}
_ASKED = {"_jit_texpr_fuser_enabled": "_jit_set_texpr_fuser_enabled",
          "_jit_nvfuser_enabled": "_jit_set_nvfuser_enabled",
          "_jit_can_fuse_on_cpu": "_jit_override_can_fuse_on_cpu",
          "_jit_can_fuse_on_gpu": "_jit_override_can_fuse_on_gpu"}


def _switch(name):
    """Sets what `name` sets, and gives what it was; None for a name of another kind."""
    if name in _ASKED:
        return lambda: _SWITCHES[_ASKED[name]]
    if name not in _SWITCHES:
        return None

    def set_to(value):
        before, _SWITCHES[name] = _SWITCHES[name], value
        return before
    return set_to


def _part_of_the_compiler(name):
    found = _switch(name)
    if found:
        setattr(_C, name, found)
        return found
    if name in _COMPILER.listed:
        found = globals()[name] = _COMPILER(name)
        setattr(_C, name, found)
        return found
    raise AttributeError(f"assay's torch has no '_C.{name}' yet")


_C.__getattr__ = _part_of_the_compiler
_sys.modules[f"{__name__}._C"] = _C  # For `from torch._C import Value`.
_C._TensorBase, _C.Size = _C.TensorBase, Size
_C._is_tracing = jit.is_tracing
_C._get_cudnn_enabled = lambda: backends.cudnn.enabled


def __dir__():
    return sorted(name for name in globals() if not name.startswith("__"))
