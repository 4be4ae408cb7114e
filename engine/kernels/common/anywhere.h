#pragma once

/// On a function of element arithmetic: CUDA's compiler makes it for the processor and for the GPU;
/// other compilers see nothing. ASSAY_NOT_INLINE: for what is large and called in many places.
#ifdef __CUDACC__
#define ASSAY_ANYWHERE __host__ __device__
#define ASSAY_NOT_INLINE __host__ __device__ __noinline__
#else
#define ASSAY_ANYWHERE
#define ASSAY_NOT_INLINE __attribute__((noinline))
#endif

/// Before a loop whose turns are to be written out in device code, so that arrays become registers.
#ifdef __CUDA_ARCH__
#define ASSAY_UNROLL _Pragma("unroll")
#else
#define ASSAY_UNROLL
#endif
