#pragma once

#include <functional>

#include "engine/core/value.h"
#include "engine/ops/context.h"

/// The order in which TorchScript sorts the items of a list.
namespace assay::ops {

/// How objects of a program's classes compare: what runs the program can tell.
struct ObjectOrder {
  /// Whether the class has a method `__lt__`.
  std::function<bool(const core::ClassType&)> has_less;
  /// What `a.__lt__(b)` gives.
  std::function<bool(const core::Value& a, const core::Value& b)> less;
};

/// Input error unless the items can be sorted: they are of one type, which is a number, a text, a
/// tensor, a class with `__lt__`, or a tuple of these. Without `objects` no class has one.
void check_sortable(const core::Values& items, const ObjectOrder* objects = nullptr);

/// Whether `a` comes before `b`: tensors of one element by that, objects as they say, tuples by
/// their first members that differ. Input error for items that cannot be sorted.
bool comes_before(Context& context, const core::Value& a, const core::Value& b,
                  const ObjectOrder* objects = nullptr);

}  // namespace assay::ops
