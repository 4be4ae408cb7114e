#pragma once

#include "engine/kernels/cuda/faults.h"
#include "engine/ops/dispatch.h"

#ifdef ASSAY_CUDA_ON_HOST
using cudaStream_t = void*;
#else
#include <cuda_runtime_api.h>
#endif

namespace assay::kernels::cuda {

/// Where a call's kernels go: a stream of its device, and whom they tell what is wrong.
struct Queue {
  cudaStream_t stream = nullptr;
  Reporter report;
};

/// The queue of a call, whose device is the calling thread's current one from now on.
Queue queue_of(const ops::Call& call);

/// How many threads the call's device runs at once: of PyTorch's random numbers, which thread draws
/// one depends on that.
int64_t threads_at_once(const ops::Call& call);

/// Uninitialised bytes on the call's device for the time of the call: kernels issued meanwhile may
/// use them.
inline core::Tensor scratch(const ops::Call& call, int64_t nbytes) {
  return core::Tensor::empty(core::Dims{nbytes}, core::DType::uint8, call.device());
}

#ifndef ASSAY_CUDA_ON_HOST
/// Raises an input error that says what CUDA refused.
void check(cudaError_t status, const char* what);
#endif

}  // namespace assay::kernels::cuda
