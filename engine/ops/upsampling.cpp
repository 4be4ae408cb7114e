#include "engine/ops/upsampling.h"

#include "engine/ops/dispatch.h"

namespace assay::ops {

Upsampling upsampling_of(const Call& call, size_t spatial) {
  Upsampling found;
  if (call.has(arg::align_corners)) found.align_corners = call.boolean(arg::align_corners);
  if (call.has(arg::scale_factors)) {
    found.scales = call.floats(arg::scale_factors);
  } else {
    // The other overloads end in one optional number per dimension.
    for (const core::Value& scale : call.args.last(spatial)) {
      found.scales.push_back(scale.is_none() ? 0 : scale.to_scalar().to_double());
    }
  }
  found.scales.resize(spatial, 0);
  return found;
}

}  // namespace assay::ops
