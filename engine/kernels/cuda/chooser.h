#pragma once

#include "engine/kernels/cuda/gather_elements.h"

namespace assay::kernels::cuda {

/// Positions as device code reads them.
struct Chooser {
  const std::byte* index;
  bool short_index;
  bool wraps;
  int64_t size;
  int64_t step;  ///< In bytes.
  Reporter report;

  Chooser(const Positions& positions, const core::Tensor& of, const Queue& queue)
      : index(positions.index.device_address()),
        short_index(positions.index.dtype() == core::DType::int32),
        wraps(positions.wraps),
        size(positions.size),
        step(positions.stride * static_cast<int64_t>(of.item_size())),
        report(queue.report) {}

  /// How far the position at an offset of the index is from the first one;
  /// false where there is no such position.
  ASSAY_ANYWHERE bool find(int64_t offset, int64_t& distance) const {
    int64_t at = short_index ? *reinterpret_cast<const int32_t*>(index + offset)
                             : *reinterpret_cast<const int64_t*>(index + offset);
    bool there = wraps ? report.wrap(at, size) : report.within(at, size);
    distance = at * step;
    return there;
  }
};

}  // namespace assay::kernels::cuda
