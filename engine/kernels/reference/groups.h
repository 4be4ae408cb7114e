#pragma once

#include <span>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {

/// A tensor's elements, widened to C, in groups: the elements that one result of a reduction is
/// made of lie side by side, in row-major order, and the groups in row-major order of the other
/// dimensions.
template <typename C>
class Groups {
 public:
  /// Elements are cast to `as` before they are widened. `reduced` says per dimension whether it
  /// lies inside of a group.
  Groups(const core::Tensor& t, core::DType as, const std::vector<bool>& reduced);
  /// Groups along one dimension (a 0-dimensional tensor is one group of one).
  Groups(const core::Tensor& t, core::DType as, int64_t dim);

  size_t count() const { return count_; }
  size_t length() const { return length_; }
  std::span<const C> operator[](size_t i) const { return {values_.get() + i * length_, length_}; }

 private:
  void gather(const core::Tensor& t, core::DType as, const std::vector<bool>& reduced);

  size_t count_ = 1;
  size_t length_ = 1;
  std::unique_ptr<C[]> values_;  // Not a vector: there is a vector<bool>.
};

/// Rounds the values to out's type and writes them in row-major order; out is contiguous.
template <typename R>
void write_results(const core::Tensor& out, std::span<const R> values);

/// As write_results for values that stand as Groups along `dim` gives them; out of any layout.
template <typename R>
void write_groups(const core::Tensor& out, int64_t dim, std::span<const R> values);

/// One result per group: f(span<const C>) → C, bool, double or int64.
template <typename C, typename F>
void reduce_groups(const core::Tensor& out, const Groups<C>& groups, F f) {
  using R = decltype(f(groups[0]));
  auto results = std::make_unique<R[]>(groups.count());
  for (size_t i = 0; i < groups.count(); ++i) results[i] = f(groups[i]);
  write_results<R>(out, {results.get(), groups.count()});
}

/// As many results per group as it has elements: f(span<const C> in, C* results).
template <typename C, typename F>
void map_groups(const core::Tensor& out, const Groups<C>& groups, int64_t dim, F f) {
  auto results = std::make_unique<C[]>(groups.count() * groups.length());
  for (size_t i = 0; i < groups.count(); ++i) f(groups[i], results.get() + i * groups.length());
  write_groups<C>(out, dim, {results.get(), groups.count() * groups.length()});
}

}  // namespace assay::kernels::reference
