#pragma once

/// On a function of element arithmetic: CUDA's compiler makes it for the processor and for the GPU;
/// other compilers see nothing.
#ifdef __CUDACC__
#define ASSAY_ANYWHERE __host__ __device__
#else
#define ASSAY_ANYWHERE
#endif

/// Before a loop whose turns are to be written out in device code, so that arrays become registers.
#ifdef __CUDA_ARCH__
#define ASSAY_UNROLL _Pragma("unroll")
#else
#define ASSAY_UNROLL
#endif
