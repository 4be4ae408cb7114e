# NVIDIA GPUs: engine/kernels/cuda is built where CUDA's compiler and libraries are, and nothing else
# changes where they are not. ASSAY_CUDA_LIBRARIES, a variable of CMake or of the environment, names
# folders with `include` and `lib` below them where libraries lie elsewhere than with the compiler
# (those of pip's packages: site-packages/nvidia/cu13, site-packages/nvidia/cudnn).

option(ASSAY_CUDA "Build the kernels for NVIDIA GPUs where CUDA is found" ON)
set(ASSAY_CUDA_FOUND OFF)

# assay_cuda_library(<name> <header>): what to link and where the header is, or a note that it is missing.
macro(assay_cuda_library name header)
  find_library(ASSAY_CUDA_${name} NAMES ${name} lib${name}.so.13 lib${name}.so.12 lib${name}.so.9
    HINTS ${cuda_folders} PATH_SUFFIXES lib lib64)
  find_path(ASSAY_CUDA_${name}_INCLUDE ${header} HINTS ${cuda_folders} PATH_SUFFIXES include)
  if(ASSAY_CUDA_${name} AND ASSAY_CUDA_${name}_INCLUDE)
    list(APPEND cuda_libraries ${ASSAY_CUDA_${name}})
    list(APPEND cuda_includes ${ASSAY_CUDA_${name}_INCLUDE})
  else()
    list(APPEND cuda_missing ${name})
  endif()
endmacro()

if(ASSAY_CUDA AND NOT ASSAY_SANITIZE AND NOT ASSAY_FUZZERS)
  find_package(CUDAToolkit 12 QUIET)
  if(CUDAToolkit_NVCC_EXECUTABLE)
    string(REPLACE ":" ";" cuda_folders "${ASSAY_CUDA_LIBRARIES}:$ENV{ASSAY_CUDA_LIBRARIES}")
    list(APPEND cuda_folders ${CUDAToolkit_LIBRARY_ROOT})
    assay_cuda_library(cublas cublas_v2.h)     # matrix products
    assay_cuda_library(cublasLt cublasLt.h)    # matrix products with a bias and an activation
    assay_cuda_library(cudnn cudnn.h)          # convolution, recurrent layers, pooling, attention
    assay_cuda_library(cufft cufft.h)          # Fourier transforms
    assay_cuda_library(cusolver cusolverDn.h)  # factorizations of matrices
    if(cuda_missing)
      message(STATUS "CUDA: no kernels for GPUs, since these libraries are not found: ${cuda_missing}")
    else()
      set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
      if(NOT CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES 90)
      endif()
      set(CMAKE_CUDA_STANDARD 20)
      set(CMAKE_CUDA_FLAGS_RELEASE "-O2 -DNDEBUG")
      enable_language(CUDA)
      set(ASSAY_CUDA_FOUND ON)
      add_library(cuda_libraries INTERFACE)
      list(REMOVE_DUPLICATES cuda_includes)
      target_include_directories(cuda_libraries SYSTEM INTERFACE ${cuda_includes} ${CUDAToolkit_INCLUDE_DIRS})
      target_link_libraries(cuda_libraries INTERFACE ${cuda_libraries} CUDA::cudart_static)
      # Libraries that these need in turn (cuSPARSE, nvJitLink) are found where the program runs.
      target_link_options(cuda_libraries INTERFACE -Wl,--allow-shlib-undefined)
    endif()
  endif()
endif()
