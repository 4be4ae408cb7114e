#pragma once

/// On a function of element arithmetic: CUDA's compiler makes it for the processor and for the GPU;
/// other compilers see nothing.
#ifdef __CUDACC__
#define ASSAY_ANYWHERE __host__ __device__
#else
#define ASSAY_ANYWHERE
#endif
