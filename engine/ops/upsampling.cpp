#include "engine/ops/upsampling.h"

#include "engine/ops/dispatch.h"

namespace assay::ops {

Upsampling upsampling_of(const Call& call, size_t spatial) {
  Upsampling found;
  const Schema& schema = call.op.schema;
  if (auto at = schema.find_argument("align_corners")) found.align_corners = call.boolean(*at);
  if (auto at = schema.find_argument("scale_factors")) {
    found.scales = call.floats(*at);
  } else {
    // The other overloads end in one optional number per dimension.
    for (size_t i = call.args.size() - spatial; i < call.args.size(); ++i) {
      found.scales.push_back(call.is_none(i) ? 0 : call.floating(i));
    }
  }
  found.scales.resize(spatial, 0);
  return found;
}

}  // namespace assay::ops
