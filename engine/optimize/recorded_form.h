#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/core/device_backend.h"
#include "engine/core/value.h"
#include "engine/ops/context.h"

namespace assay::optimize {

/// The calls of a specialized method whose tensors are on a device that can record its work (a
/// GPU): for arguments of given sizes the kernels are recorded once and then run as a whole, which
/// costs the host one call where it made hundreds. That is right for a method that only computes,
/// since its kernels depend on the sizes of the arguments alone where the host waits for no
/// element; a method whose host does wait cannot be recorded, and is run as ever.
class RecordedForm {
 public:
  using Run = std::function<core::Value(const core::Values& arguments)>;

  /// Whether calls with these arguments can be recorded: all tensors are on one such device, on
  /// whose default stream the context issues calls.
  static bool accepts(const ops::Context& context, const core::Values& arguments);

  /// The result of the method for the arguments, which accepts() has accepted; `run` runs it.
  core::Value call(ops::Context& context, const core::Values& arguments, const Run& run);

 private:
  /// What was recorded for one kind of arguments.
  struct Take {
    core::Values arguments;  ///< Tensors of its own, which its kernels read.
    core::Value result;      ///< What they write.
    std::unique_ptr<core::Recording> recording;
    int calls = 0;  ///< Before it was recorded.
    bool refused = false;
  };

  Take& take_for(const core::Values& arguments);
  static void record(Take& take, const Run& run);
  static core::Value replay(ops::Context& context, Take& take, const core::Values& arguments);

  std::vector<std::unique_ptr<Take>> takes_;
};

}  // namespace assay::optimize
