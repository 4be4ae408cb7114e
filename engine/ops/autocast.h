#pragma once

#include <memory>

#include "engine/core/dtype.h"
#include "engine/ops/handler.h"

namespace assay::ops {

/// How autocast is set for one kind of device.
struct AutocastMode {
  bool enabled = false;
  core::DType dtype = core::DType::bfloat16;  ///< The lower precision.
};

/// PyTorch's autocast around the calls that are made in a context while this lives: casts the
/// floating-point tensors of a call as its row says (facts.h, Cast). Regions nest; an inner one
/// sets the mode of its kind of device anew. In-place and `out` calls are left alone.
///
/// In TorchScript, PyTorch does not dispatch to autocast but rewrites the graph, by a list of its
/// own that is the same for all devices: composites are cast as a whole, and lists of tensors
/// never.
///
/// Parameters (float32, of which gradients are asked) that are cast to the lower precision are cast
/// once: the copies are kept until the outermost region ends, whatever is written to the parameters
/// meanwhile, as in PyTorch.
class AutocastRegion {
 public:
  enum class Rules { eager, script };

  /// `device` is cpu or cuda; a `cpu` region knows bfloat16 only and does nothing with another
  /// type.
  AutocastRegion(Context& context, core::DeviceType device, AutocastMode mode,
                 Rules rules = Rules::eager, bool cache = true);
  ~AutocastRegion();
  AutocastRegion(const AutocastRegion&) = delete;
  AutocastRegion& operator=(const AutocastRegion&) = delete;

  /// The mode for tensors on this kind of device.
  const AutocastMode& mode(core::DeviceType device) const;

 private:
  class Caster;
  Context& context_;
  AutocastRegion* outer_;
  AutocastMode cpu_;
  AutocastMode cuda_{false, core::DType::float16};
  Rules rules_;
  bool cache_;
  std::unique_ptr<Caster> caster_;  // Of the outermost region.
};

}  // namespace assay::ops
