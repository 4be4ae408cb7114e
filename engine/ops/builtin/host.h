#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "engine/ops/dispatch.h"

namespace assay::ops::builtin {

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

/// Raises unless a list or text of this length is one that a program may reasonably build.
void check_length(int64_t count, size_t item_length);

/// The items so many times in a row; none for a negative count.
core::Values repeated(const core::Values& items, int64_t times);

/// What a slice `[start:end:step]` of a sequence selects.
struct SliceRange {
  int64_t start;
  int64_t step;
  int64_t count;
};
/// From the arguments start, end and step, where None means the end that it leaves open.
SliceRange slice_range(const Call& call, size_t length);

/// `a == b` as TorchScript compares members of lists: tensors by value, which must be one element.
bool same_element(const Call& call, const core::Value& a, const core::Value& b);

// Parts of operators that lists share with dictionaries and texts ("aten::pop", "aten::index").
void pop_from_dict(Call& call);
void get_dict_item(Call& call);
void set_dict_item(Call& call);
void delete_dict_item(Call& call);
void copy_dict(Call& call);
void count_in_text(Call& call);
void index_in_text(Call& call);

}  // namespace assay::ops::builtin
