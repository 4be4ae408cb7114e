#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/ref.h"

namespace assay::core {

/// What can be kept with a tensor beside what every tensor has.
enum class TensorExtension : uint8_t {
  sizes,      ///< Which expressions its sizes are (ops::SizeTracker).
  gradient,   ///< What it was computed from, and its gradient.
  view,       ///< Which tensor it is a view of, and how it was taken.
  quantizer,  ///< How its integers stand for real numbers.
};

/// The one place for what features keep with a tensor. Takes a pointer's room and no time where
/// there is nothing. It belongs to the tensor object: handles share it, copies and views start
/// without.
class TensorExtensions {
 public:
  bool empty() const { return !slots_; }
  /// Null if there is none of this kind.
  base::RefCounted* find(TensorExtension kind) const {
    return slots_ ? (*slots_)[static_cast<size_t>(kind)].get() : nullptr;
  }
  /// Null takes away what was there.
  void set(TensorExtension kind, base::Ref<base::RefCounted> what) {
    if (!slots_ && !what) return;
    if (!slots_) slots_ = std::make_unique<Slots>();
    (*slots_)[static_cast<size_t>(kind)] = std::move(what);
  }

 private:
  using Slots = std::array<base::Ref<base::RefCounted>, 4>;
  std::unique_ptr<Slots> slots_;
};

}  // namespace assay::core
