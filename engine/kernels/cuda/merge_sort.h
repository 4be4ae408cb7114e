#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/kernels/cuda/parallel.h"

#ifndef ASSAY_CUDA_ON_HOST
#include <cub/device/device_merge_sort.cuh>
#endif

namespace assay::kernels::cuda {

/// Puts numbers in order, equal ones as they were. `less` is a function object for device code.
template <typename Less>
void merge_sort(const ops::Call& call, const Queue& queue, uint32_t* numbers, int64_t count,
                Less less) {
#ifdef ASSAY_CUDA_ON_HOST
  static_cast<void>(call);
  static_cast<void>(queue);
  std::stable_sort(numbers, numbers + count, less);
#else
  size_t nbytes = 0;
  auto run = [&](void* room) {
    check(cub::DeviceMergeSort::StableSortKeys(room, nbytes, numbers, count, less, queue.stream),
          "sorting");
  };
  run(nullptr);
  core::Tensor room = scratch(call, std::max<int64_t>(1, static_cast<int64_t>(nbytes)));
  run(room.device_address());
#endif
}

}  // namespace assay::kernels::cuda
