#pragma once

#include <cstddef>
#include <vector>

namespace assay::ops {

class Call;

/// The arguments that the upsample operators share, wherever their overload has them.
struct Upsampling {
  bool align_corners = false;
  /// Per spatial dimension; 0 where none was given.
  std::vector<double> scales;
};

Upsampling upsampling_of(const Call& call, size_t spatial);

}  // namespace assay::ops
