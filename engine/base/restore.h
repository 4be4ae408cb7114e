#pragma once

#include <utility>

namespace assay::base {

/// Gives a variable another value for a scope; on the way out, by an exception too, it has the one
/// from before.
template <typename T>
class Restore {
 public:
  Restore(T& variable, T value)
      : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~Restore() { variable_ = std::move(before_); }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace assay::base
