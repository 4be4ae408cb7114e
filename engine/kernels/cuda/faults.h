#pragma once

#include <cstdint>

#include "engine/core/device.h"
#include "engine/kernels/common/anywhere.h"

namespace assay::kernels::cuda {

/// What can be wrong with the elements that a kernel reads, which the host learns of later.
enum class Fault : uint32_t { none, index_out_of_range, division_by_zero, other };

/// Where kernels of a device say what was wrong. The first one to say so is heard; it skips the
/// element, touches nothing out of bounds, and the device stays usable. Memory that the host and
/// the device see at one address.
struct FaultBoard {
  uint32_t fault;  ///< A Fault.
  uint32_t op;     ///< Operator::id of the call.
  int64_t value;
  int64_t bound;
};

/// Raises what kernels of the device reported, and forgets it: an input error that names the
/// operator. To be called when the host has waited for the device.
void raise_faults(FaultBoard& board, core::Device device);

/// A call's way to its device's board, for device code.
struct Reporter {
  FaultBoard* board = nullptr;
  uint32_t op = 0;

  ASSAY_ANYWHERE void operator()(Fault fault, int64_t value = 0, int64_t bound = 0) const {
#ifdef __CUDA_ARCH__
    if (atomicCAS(&board->fault, 0u, static_cast<unsigned>(fault)) != 0u) return;
#else
    if (board->fault != 0) return;
    board->fault = static_cast<uint32_t>(fault);
#endif
    board->op = op;
    board->value = value;
    board->bound = bound;
  }

  /// Whether an index is in [-size, size), which makes it one from the front; reports it if not.
  ASSAY_ANYWHERE bool wrap(int64_t& index, int64_t size) const {
    if (index < -size || index >= size) {
      (*this)(Fault::index_out_of_range, index, size);
      return false;
    }
    if (index < 0) index += size;
    return true;
  }
  /// The same for indices that may not count from the end.
  ASSAY_ANYWHERE bool within(int64_t index, int64_t size) const {
    if (index >= 0 && index < size) return true;
    (*this)(Fault::index_out_of_range, index, size);
    return false;
  }
};

}  // namespace assay::kernels::cuda
