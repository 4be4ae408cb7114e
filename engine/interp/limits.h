#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace assay::interp {

/// Bounds on one run, for programs from untrusted sources. 0 means no bound. Going over one is an
/// input error.
struct Limits {
  /// Turns of loops, calls of functions and of operators, together.
  uint64_t steps = 0;
  /// Checked between steps and in the loops of kernels; what cannot be interrupted is estimated.
  std::chrono::milliseconds time{0};
  /// Bytes on any one device that tensors of the run hold at once, checked by every allocation; and
  /// bytes of its lists, its texts and the scratch memory of kernels (base::HeapLimit).
  size_t memory = 0;
  /// Functions that call each other.
  size_t call_depth = 500;
};

}  // namespace assay::interp
