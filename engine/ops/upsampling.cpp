#include "engine/ops/upsampling.h"

#include "engine/ops/dispatch.h"

namespace assay::ops {

Upsampling upsampling_of(const Call& call, size_t spatial) {
  Upsampling found;
  if (call.has(arg::align_corners)) found.align_corners = call.boolean(arg::align_corners);
  if (call.has(arg::scale_factors)) {
    found.scales = call.floats(arg::scale_factors);
  } else {
    // The other overloads have one optional number per dimension.
    for (ArgName name : {arg::scales, arg::scales_d, arg::scales_h, arg::scales_w}) {
      if (call.has(name)) found.scales.push_back(call.is_none(name) ? 0 : call.floating(name));
    }
  }
  found.scales.resize(spatial, 0);
  return found;
}

}  // namespace assay::ops
