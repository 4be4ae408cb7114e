#include "engine/kernels/cuda/compact.h"

#ifndef ASSAY_CUDA_ON_HOST
#include <cub/device/device_scan.cuh>
#endif

namespace assay::kernels::cuda {

#ifdef ASSAY_CUDA_ON_HOST

void sums_before(const ops::Call&, const Queue&, int64_t* numbers, int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = numbers[i];
    numbers[i] = sum;
    sum += number;
  }
}

#else

void sums_before(const ops::Call& call, const Queue& queue, int64_t* numbers, int64_t count) {
  size_t nbytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, nbytes, numbers, numbers, count, queue.stream),
        "adding numbers up");
  core::Tensor room = scratch(call, static_cast<int64_t>(nbytes));
  check(cub::DeviceScan::ExclusiveSum(room.device_address(), nbytes, numbers, numbers, count,
                                      queue.stream),
        "adding numbers up");
}

#endif

}  // namespace assay::kernels::cuda
