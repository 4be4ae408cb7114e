#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ops/catalog.h"
#include "engine/ops/context.h"

namespace assay::kernels::testing {

/// How far each element of a result may be from the reference kernel's.
struct Bound {
  /// In units of roundoff (2^-24 for float32) of `magnitude`. 0: bit for bit.
  double units = 0;
  /// float64, of the result's sizes: the sum of the sizes of what was added up. Undefined: the
  /// result's own size.
  core::Tensor magnitude;
  /// Added to `magnitude` everywhere.
  double least = 0;
  /// Numbers below this are lost to underflow on the way.
  double underflow = 0;
  /// What is computed on the way is up to so many times `magnitude`; where that overflows there is
  /// no promise. 0: it does not overflow.
  double overflow = 0;
  /// The type that was computed in; results may then have been stored as another one.
  core::DType dtype = core::DType::float64;
  bool promises = true;  ///< Otherwise elements may be anything.
};

/// The bound that the operator's numeric class (ops::Numeric) gives for the results of this call.
/// `args` are the arguments, `results` what reference kernels made of them; `reference` runs those.
std::vector<Bound> bounds_of(const ops::Operator& op, const core::Values& args,
                             const core::Values& results, ops::Context& reference);

/// What differs between a result and the reference's: sizes, dtype, strides or elements.
std::optional<std::string> difference(const core::Value& actual, const core::Value& expected,
                                      const Bound& bound);

}  // namespace assay::kernels::testing
