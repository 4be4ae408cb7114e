#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "engine/ops/dispatch.h"

namespace assay::ops::composite {

/// An operator of plain values, for all its overloads: they differ only in the static types of the
/// arguments, which the values themselves tell.
struct HostOperator {
  std::string_view name;  ///< Without an overload: "aten::add".
  void (*run)(Call&);
};

/// A kernel for every catalog row of these names whose rule is host_value.
std::vector<Kernel> host_kernels(std::initializer_list<HostOperator> operators);

/// A position counted from the end (negative) as one from the front, or raises "list index out of
/// range".
size_t list_position(int64_t index, size_t length);

/// What a slice `[start:end:step]` of a sequence selects.
struct SliceRange {
  int64_t start;
  int64_t step;
  int64_t count;
};
/// From (start, end, step) at argument `first`, where None means the end that it leaves open.
SliceRange slice_range(const Call& call, size_t first, size_t length);

/// `a == b` as TorchScript compares members of lists: tensors by value, which must be one element.
bool same_element(const Call& call, const core::Value& a, const core::Value& b);

}  // namespace assay::ops::composite
