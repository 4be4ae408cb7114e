#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/base/deadline.h"
#include "engine/core/tensor.h"

namespace assay::kernels::common {

/// Iterates over N tensors read under one shape (smaller ones are broadcast; an input error where
/// one does not broadcast). Dimensions that all operands step through alike are merged, so
/// contiguous operands give a single row. The work comes in rows: `row(pointers, strides, count)`
/// with a pointer and a step in bytes per operand.
///
/// Dimensions are visited in the order in which the first operand is laid out, whatever its
/// format; with `row_major` they are visited as numbered (needed where order shows, as for random
/// numbers).
template <size_t N>
class StridedLoop {
 public:
  using Pointers = std::array<std::byte*, N>;
  using Steps = std::array<int64_t, N>;

  StridedLoop(core::DimSpan sizes, const std::array<core::Tensor, N>& operands,
              bool row_major = false) {
    count_ = core::numel(sizes);
    for (size_t i = 0; i < N; ++i) base_[i] = operands[i].device_address();
    if (count_ == 0) return;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == 1) continue;
      sizes_.push_back(sizes[d]);
    }
    for (size_t i = 0; i < N; ++i) steps_[i] = steps_of(operands[i], sizes);
    if (!row_major) sort_dimensions();
    merge_dimensions();
  }

  int64_t numel() const { return count_; }
  /// Length of a row; numel() is a multiple of it.
  int64_t row_length() const { return sizes_.empty() ? 1 : sizes_.back(); }
  int64_t rows() const { return count_ == 0 ? 0 : count_ / row_length(); }
  /// The dimensions that are left, the innermost last, and an operand's steps along them in bytes.
  const core::Dims& merged_sizes() const { return sizes_; }
  const core::Dims& merged_steps(size_t operand) const { return steps_[operand]; }
  /// Steps of the rows' elements, in bytes: the same for every row.
  Steps row_steps() const {
    Steps steps{};
    for (size_t i = 0; i < N && !sizes_.empty(); ++i) steps[i] = steps_[i].back();
    return steps;
  }

  template <typename Row>
  void run(Row&& row) const {
    run(0, rows(), row);
  }

  /// The rows from `first` to before `last`; disjoint ranges may run in parallel.
  template <typename Row>
  void run(int64_t first, int64_t last, Row&& row) const {
    if (first >= last) return;
    size_t outer = sizes_.empty() ? 0 : sizes_.size() - 1;
    core::Dims index(outer, 0);
    Pointers at = base_;
    int64_t rest = first;
    for (size_t d = outer; d-- > 0;) {
      index[d] = rest % sizes_[d];
      rest /= sizes_[d];
      for (size_t i = 0; i < N; ++i) at[i] += index[d] * steps_[i][d];
    }
    Steps steps = row_steps();
    int64_t length = row_length();
    base::DeadlineTicker deadline;
    for (int64_t r = first; r < last; ++r) {
      run_row(at, steps, length, deadline, row);
      for (size_t d = outer; d-- > 0;) {
        bool wraps = ++index[d] == sizes_[d];
        int64_t moves = wraps ? 1 - sizes_[d] : 1;
        for (size_t i = 0; i < N; ++i) at[i] += moves * steps_[i][d];
        if (!wraps) break;
        index[d] = 0;
      }
    }
  }

 private:
  /// In parts, since a row of few elements that is repeated may be endless.
  template <typename Row>
  static void run_row(Pointers at, const Steps& steps, int64_t length,
                      base::DeadlineTicker& deadline, Row& row) {
    constexpr int64_t most = int64_t{1} << 20;
    while (length > most) {
      deadline.tick(most);
      row(at, steps, most);
      for (size_t i = 0; i < N; ++i) at[i] += most * steps[i];
      length -= most;
    }
    deadline.tick(length);
    row(at, steps, length);
  }

  static core::Dims steps_of(const core::Tensor& t, core::DimSpan sizes) {
    core::Dims strides = core::broadcast_strides(t.sizes(), t.strides(), sizes);
    core::Dims steps;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] != 1) steps.push_back(strides[d] * static_cast<int64_t>(t.item_size()));
    }
    return steps;
  }

  /// Whether dimension `a` should be outside of `b`.
  bool outside(size_t a, size_t b) const {
    for (size_t i = 0; i < N; ++i) {
      int64_t x = steps_[i][a], y = steps_[i][b];
      if (x == 0 || y == 0 || x == y) continue;
      return x > y;
    }
    return true;
  }

  void sort_dimensions() {
    for (size_t d = 1; d < sizes_.size(); ++d) {
      for (size_t e = d; e > 0 && !outside(e - 1, e); --e) {
        std::swap(sizes_[e - 1], sizes_[e]);
        for (auto& steps : steps_) std::swap(steps[e - 1], steps[e]);
      }
    }
  }

  void merge_dimensions() {
    for (size_t d = sizes_.size(); d-- > 1;) {
      bool merges = true;
      for (const auto& steps : steps_) merges &= steps[d - 1] == steps[d] * sizes_[d];
      if (!merges) continue;
      sizes_[d - 1] *= sizes_[d];
      sizes_.erase(d);
      for (auto& steps : steps_) {
        steps[d - 1] = steps[d];
        steps.erase(d);
      }
    }
  }

  int64_t count_ = 0;
  Pointers base_{};
  core::Dims sizes_;
  std::array<core::Dims, N> steps_;
};

/// out[i] = f(in[i]...) for every element; the operands must hold the given element types and
/// broadcast to out's shape.
template <typename Out, typename... In, typename F, typename... Tensors>
void map(F f, const core::Tensor& out, const Tensors&... in) {
  static_assert(sizeof...(In) == sizeof...(Tensors));
  constexpr size_t n = sizeof...(In) + 1;
  StridedLoop<n> loop(out.sizes(), std::array<core::Tensor, n>{out, in...});
  loop.run([&](std::array<std::byte*, n> at, const std::array<int64_t, n>& step, int64_t count) {
    for (int64_t k = 0; k < count; ++k) {
      [&]<size_t... I>(std::index_sequence<I...>) {
        *reinterpret_cast<Out*>(at[0]) = f(*reinterpret_cast<const In*>(at[I + 1])...);
      }
      (std::make_index_sequence<sizeof...(In)>());
      for (size_t i = 0; i < n; ++i) at[i] += step[i];
    }
  });
}

}  // namespace assay::kernels::common
