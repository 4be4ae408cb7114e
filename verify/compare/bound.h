#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/core/dtype.h"

namespace assay::verify {

/// An element is right when |subject - reference| <= atol + rtol * |reference|. Integers, bool and
/// strings must be equal.
struct Bound {
  double atol = 0;
  double rtol = 0;
  bool given = false;  ///< By the user: what exceeds it is wrong, whatever rounding can do.
  std::string text() const;
};

/// Where bounds come from: the user's tolerances where given, else the rounding error of the
/// element type, grown by how much the graph can accumulate. That bound is tight: an element that
/// is the difference of large numbers exceeds it without a fault, and is adjudicated (spread.h).
struct BoundRule {
  /// By output path as in Difference::place ("output[0]"); "*" for all.
  std::map<std::string, double> atol, rtol;
  /// Longest chain of roundings behind an element: the sum over the graph's nodes of what each
  /// operator's numeric class allows, in units of the element's last place.
  double growth = 64;

  Bound bound_for(std::string_view place, core::DType dtype) const;
};

}  // namespace assay::verify
