#pragma once

#include <cstdint>

#include "engine/core/tensor.h"
#include "engine/ops/handler.h"

namespace assay::verify {

/// Monte Carlo arithmetic (Parker 1997): multiplies each element of an inexact operator's results
/// by 1 + eps * u, with u drawn from -1..1 and eps of the element type, as if it had been rounded
/// some other way. Operators that add up many terms, or that are right to some units in the last
/// place only, get their floating-point arguments changed so as well: then what cancels inside of
/// them shows outside. Those that add up get a random walk on top, which is what rounding every
/// partial sum does to the terms before it. How far a program's outputs move over several such runs
/// says how much of a difference rounding can explain.
///
/// What was not rounded stays as it is: results that the operator gives in float64, too, and sums
/// of whole numbers. Positions that are computed in floats (2 * 0.5) would be cut to others else.
///
/// A number drawn from a normal distribution is a radius times a cosine: it moves by a large
/// radius, since near a zero of the cosine it is far smaller than what it was rounded from.
///
/// Which operators are inexact say their rows (ops::Numeric); casts to a type of fewer digits are,
/// too. The numbers of Python stay as they
/// are, and so do tensors on meta.
class RandomRounding final : public ops::Handler {
 public:
  /// Equal seeds give equal runs.
  explicit RandomRounding(uint64_t seed) : state_(seed) {}

  ops::Results call(const ops::Operator& op, std::span<const core::Value> args,
                    const ops::Next& next) override;

 private:
  ops::Results cast(const ops::Operator& op, std::span<const core::Value> args,
                    const ops::Next& next);
  core::Values changed_arguments(const ops::Operator& op, std::span<const core::Value> args);
  core::Value changed(const core::Value& value, bool adds_up);
  core::Tensor changed_copy(const core::Tensor& tensor, bool adds_up);
  void change(const core::Tensor& tensor, double radius = 0);
  /// What differs from the same results in float64 (undefined: all of it).
  void change_rounded(const core::Tensor& tensor, const core::Tensor& in_float64);
  void change_elements(std::byte* first, int64_t count, core::DType dtype, bool adds_up = false,
                       double radius = 0);
  template <typename T>
  void change_numbers(std::byte* first, int64_t count, bool adds_up, double radius);
  double draw();

  uint64_t state_;
};

}  // namespace assay::verify
