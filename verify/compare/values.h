#pragma once

#include "verify/compare/walk.h"

namespace assay::verify::compare_detail {

/// Compares the elements of two tensors of equal shape. Element types may differ: then both are
/// read as double (or complex) under the bound of the coarser type. `spread`: by element, null
/// where rounding explains nothing.
ValueError compare_values(const core::Tensor& subject, const core::Tensor& reference,
                          const Bound& bound, const std::vector<double>* spread = nullptr);

/// Adds the values of tensors and numbers to the findings; nothing for tensors whose shapes differ,
/// that have no bytes (meta) or no elements.
void compare_pair_values(const Pairs& pairs, Collector& out);

/// |a - b| by element, in row-major order, of two tensors of equal shape: 0 for NaN and infinities
/// that both have, infinite where only one is finite.
std::vector<double> distances(const core::Tensor& a, const core::Tensor& b);
/// The same of two numbers.
double distance(const core::Value& a, const core::Value& b);

}  // namespace assay::verify::compare_detail
