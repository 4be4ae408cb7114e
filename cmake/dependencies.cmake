# What assay builds on, and why. Each is a Debian 12 package; ci/setup installs them.

# oneDNN: convolution, matrix product, pooling, normalization and recurrent layers on the CPU, tuned
# for each processor; the library that PyTorch itself uses there.
# Its own CMake package asks for OpenCL headers, which only its GPU interface needs.
find_library(ASSAY_DNNL dnnl REQUIRED)
find_path(ASSAY_DNNL_INCLUDE dnnl.hpp REQUIRED)
add_library(dnnl UNKNOWN IMPORTED)
set_target_properties(dnnl PROPERTIES
  IMPORTED_LOCATION ${ASSAY_DNNL}
  INTERFACE_INCLUDE_DIRECTORIES ${ASSAY_DNNL_INCLUDE})
# LAPACK, by its C interface: factorizations, eigenvalues, singular values and least squares, as in PyTorch.
# The reference implementation, linked in: shared, it and its Fortran runtime would cost every start 10 ms.
find_library(ASSAY_LAPACK_C liblapacke.a REQUIRED)
find_library(ASSAY_LAPACK liblapack.a PATH_SUFFIXES lapack REQUIRED)
find_library(ASSAY_BLAS libblas.a PATH_SUFFIXES blas REQUIRED)
add_library(lapack INTERFACE)
target_link_libraries(lapack INTERFACE ${ASSAY_LAPACK_C} ${ASSAY_LAPACK} ${ASSAY_BLAS})
# OpenMP: the thread pool that oneDNN runs on; own kernels share it rather than add a second one.
find_package(OpenMP REQUIRED)
# zlib: inflates archive members and packs replay strings.
find_package(ZLIB REQUIRED)
# OpenSSL's libcrypto: SHA-256 of the files and weights that a report speaks of.
# Linked whole: to find and bind the shared one takes every start of the program half a millisecond.
set(OPENSSL_USE_STATIC_LIBS ON)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
# fmt: text is formatted as std::format would, which this compiler's library lacks. Include
# <fmt/core.h>: checking a format string against its arguments costs a file 0.1 s, <fmt/format.h> and
# <fmt/ranges.h> 0.3 s; the header-only form would cost 3 s.
find_package(fmt REQUIRED)
# Its FMT_SHARED means something on Windows only, and would stand in every compile command.
set_property(TARGET fmt::fmt PROPERTY INTERFACE_COMPILE_DEFINITIONS)
# nlohmann-json: specs, recordings' headers and reports; strict, never recursive while parsing.
find_package(nlohmann_json REQUIRED)
# Python: writes the constants for arguments' names during the build, and compares with PyTorch; the
# Python package's extension is made for it. Debian's, which has PyTorch, before another one in PATH.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module)
# pybind11: functions and classes of the Python package's extension. Only its headers: its own CMake
# package looks for Python again. Tensors and operators, which are called all the time, go by Python's
# own interface.
find_path(ASSAY_PYBIND11 pybind11/pybind11.h REQUIRED)
# Z3: sizes of a spec at which a condition of a trace is false, or the proof that there are none.
# Opened when it is first asked (verify/guards/solver.h), under the name of its interface's version.
find_library(ASSAY_Z3 z3 REQUIRED)
find_path(ASSAY_Z3_INCLUDE z3.h REQUIRED)
file(REAL_PATH ${ASSAY_Z3} ASSAY_Z3_FILE)
cmake_path(GET ASSAY_Z3_FILE FILENAME ASSAY_Z3_FILE)
# RapidCheck: generation and shrinking of cases, and the property tests.
find_package(rapidcheck REQUIRED)

if(ASSAY_TESTS)
  # GoogleTest and Google Benchmark: the tests and benchmarks.
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
endif()
