"""Operators that a package compiles for itself."""

from .._absent import names

CUDA_HOME = None
ROCM_HOME = None
IS_HIP_EXTENSION = False

__getattr__ = names(__name__, """
    BuildExtension CppExtension CUDAExtension
    get_compiler_abi_compatibility_and_version get_default_build_root include_paths is_ninja_available
    library_paths load load_inline verify_ninja_availability""",
                    "an engine's operators are those of its catalog; use the package's Python code for them")
