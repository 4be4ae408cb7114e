#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/core/dtype.h"

namespace assay::verify {

/// An element is right when |subject - reference| <= atol + rtol * |reference| + scale * largest
/// finite |element| of the reference tensor. Integers, bool and strings must be equal.
struct Bound {
  double atol = 0;
  double rtol = 0;
  double scale = 0;
  std::string text() const;
};

/// Where bounds come from: the user's tolerances where given (then `scale` is 0), else the rounding
/// error of the element type, grown by how much the graph can accumulate.
struct BoundRule {
  /// By output path as in Difference::place ("output[0]"); "*" for all.
  std::map<std::string, double> atol, rtol;
  /// Longest chain of roundings behind an element: the sum over the graph's nodes of what each
  /// operator's numeric class allows, in units of the last place of the largest element.
  double growth = 64;

  Bound bound_for(std::string_view place, core::DType dtype) const;
};

/// Distance from 1 to the next number of a floating type (of the parts, for complex); 0 otherwise.
double epsilon(core::DType dtype);

}  // namespace assay::verify
