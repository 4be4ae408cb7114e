#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/groups.h"
#include "engine/kernels/reference/pointwise.h"
#include "engine/ops/infer/reduction.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// An element of a group and its index in it.
template <typename C>
struct Found {
  C value;
  int64_t index;
};

template <typename C>
bool is_nan(C v) {
  return v != v;
}

/// The first of the largest (smallest) elements; the first NaN, if there is one.
template <bool largest, typename C>
Found<C> extreme_of(std::span<const C> group) {
  Found<C> best{group[0], 0};
  for (size_t i = 0; i < group.size(); ++i) {
    if (is_nan(best.value)) break;
    bool better = largest ? group[i] > best.value : group[i] < best.value;
    if (better || is_nan(group[i])) best = {group[i], static_cast<int64_t>(i)};
  }
  return best;
}

/// Indices of a group's elements in ascending order, NaN last; equal ones in their own order
/// where that is to be `stable`, else as PyTorch's sort leaves them.
template <typename C>
std::vector<int64_t> ascending(std::span<const C> group, bool stable) {
  std::vector<int64_t> order(group.size());
  std::iota(order.begin(), order.end(), 0);
  auto less = [&](int64_t a, int64_t b) {
    C x = group[static_cast<size_t>(a)], y = group[static_cast<size_t>(b)];
    return is_nan(y) ? !is_nan(x) : x < y;
  };
  stable ? std::stable_sort(order.begin(), order.end(), less)
         : std::sort(order.begin(), order.end(), less);
  return order;
}

template <typename C>
Found<C> at_place(std::span<const C> group, int64_t index) {
  return {group[static_cast<size_t>(index)], index};
}

/// Index of the k-th smallest element (from 0), NaN counting as the largest. Which of several equal
/// elements it is follows from the method, which is PyTorch's: Hoare's selection with the median of
/// three as pivot, as in "Numerical Recipes", section 8.5.
template <typename C>
int64_t select_place(std::span<const C> group, int64_t k) {
  std::vector<int64_t> order(group.size());
  std::iota(order.begin(), order.end(), 0);
  auto value = [&](int64_t i) { return group[static_cast<size_t>(order[static_cast<size_t>(i)])]; };
  auto above = [](C a, C b) { return (is_nan(a) && !is_nan(b)) || a > b; };
  auto swap = [&](int64_t i, int64_t j) {
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(j)]);
  };
  auto put_in_order = [&](int64_t low, int64_t high) {
    if (above(value(low), value(high))) swap(low, high);
  };
  int64_t left = 0, right = static_cast<int64_t>(group.size()) - 1;
  while (right > left + 1) {
    swap(left + (right - left) / 2, left + 1);
    put_in_order(left + 1, right);
    put_in_order(left, right);
    put_in_order(left + 1, left);
    int64_t i = left + 1, j = right;
    C pivot = value(left);
    while (true) {
      do ++i;
      while (above(pivot, value(i)));
      do --j;
      while (above(value(j), pivot));
      if (j < i) break;
      swap(i, j);
    }
    swap(left, j);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
  if (right == left + 1) put_in_order(left, right);
  return order[static_cast<size_t>(k)];
}

/// The lower of the middle elements. NaN wins, or, with `ignore_nan`, is left out.
template <bool ignore_nan, typename C>
Found<C> median_of(std::span<const C> group) {
  auto first_nan = std::find_if(group.begin(), group.end(), is_nan<C>);
  if (!ignore_nan && first_nan != group.end()) return {*first_nan, first_nan - group.begin()};
  auto order = ascending(group, true);
  auto nans = static_cast<size_t>(std::count_if(group.begin(), group.end(), is_nan<C>));
  size_t kept = group.size() - nans;
  return at_place(group, order[kept == 0 ? 0 : (kept - 1) / 2]);
}

/// The smallest of the most frequent elements, at the index that PyTorch's sort leaves last.
template <typename C>
Found<C> mode_of(std::span<const C> group) {
  auto order = ascending(group, false);
  size_t best_end = 0, best_count = 0, run = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    C here = group[static_cast<size_t>(order[i])];
    bool same = i > 0 && here == group[static_cast<size_t>(order[i - 1])];
    run = same ? run + 1 : 1;
    if (run > best_count) {
      best_count = run;
      best_end = i;
    }
  }
  return at_place(group, order[best_end]);
}

/// Writes values and positions (either may be left out) of what `find` picks from each group.
template <typename F>
void reduce_found(Call& c, const Tensor* values, const Tensor* positions,
                  const std::vector<bool>& reduced, F find) {
  Tensor in = c.tensor(arg::self);
  auto run = [&]<typename C>(C) {
    Groups<C> groups(in, in.dtype(), reduced);
    if (values) reduce_groups(*values, groups, [&](auto g) { return find(g).value; });
    if (positions) reduce_groups(*positions, groups, [&](auto g) { return find(g).index; });
  };
  core::is_floating(in.dtype()) ? run(double{}) : run(int64_t{});
}

/// A reduction that gives only the value.
template <auto find>
void value_only(Call& c) {
  Tensor out = c.out();
  reduce_found(c, &out, nullptr, ops::infer::reduction_of(c).reduced, find);
}

template <auto find>
void place_only(Call& c) {
  Tensor out = c.out();
  reduce_found(c, nullptr, &out, ops::infer::reduction_of(c).reduced, find);
}

template <auto find>
void value_and_place(Call& c) {
  Tensor values = c.out(0), positions = c.out(1);
  auto reduced = ops::infer::reduction_of(c).reduced;
  reduce_found(c, &values, &positions, reduced, find);
}

constexpr auto max_of = [](auto group) { return extreme_of<true>(group); };
constexpr auto min_of = [](auto group) { return extreme_of<false>(group); };
constexpr auto plain_median = [](auto group) { return median_of<false>(group); };
constexpr auto median_without_nan = [](auto group) { return median_of<true>(group); };
constexpr auto most_frequent = [](auto group) { return mode_of(group); };

/// The median of all elements; of none, NaN or the lowest integer.
template <auto find>
void median(Call& c) {
  Tensor out = c.out();
  if (c.tensor(arg::self).numel() == 0) {
    auto nan = std::numeric_limits<double>::quiet_NaN();
    double value = core::is_floating(out.dtype()) ? nan : -0x1p63;
    return write_results<double>(out, {&value, 1});
  }
  value_only<find>(c);
}

void aminmax(Call& c) {
  Tensor low = c.out(0), high = c.out(1);
  auto reduced = ops::infer::reduction_of(c).reduced;
  reduce_found(c, &low, nullptr, reduced, min_of);
  reduce_found(c, &high, nullptr, reduced, max_of);
}

void kthvalue(Call& c) {
  Tensor in = c.tensor(arg::self), values = c.out(0), positions = c.out(1);
  int64_t k = c.integer(arg::k);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), in.dim());
  int64_t length = in.dim() == 0 ? 1 : in.size(static_cast<size_t>(dim));
  base::check(k >= 1 && k <= length, "kthvalue(): selected number k out of range for dimension ",
              dim);
  auto reduced = ops::infer::reduction_of(c).reduced;
  reduce_found(c, &values, &positions, reduced,
               [&](auto group) { return at_place(group, select_place(group, k - 1)); });
}

constexpr ops::Kernel reduction_extremes_table[] = {
    {"aten::amax", value_only<max_of>},
    {"aten::amin", value_only<min_of>},
    {"aten::max", value_only<max_of>},
    {"aten::min", value_only<min_of>},
    {"aten::median", median<plain_median>},
    {"aten::nanmedian", median<median_without_nan>},
    {"aten::aminmax", aminmax},
    {"aten::_aminmax", aminmax},
    {"aten::_aminmax.dim", aminmax},
    {"aten::argmax", place_only<max_of>},
    {"aten::argmin", place_only<min_of>},
    {"aten::max.dim", value_and_place<max_of>},
    {"aten::min.dim", value_and_place<min_of>},
    {"aten::median.dim", value_and_place<plain_median>},
    {"aten::nanmedian.dim", value_and_place<median_without_nan>},
    {"aten::mode", value_and_place<most_frequent>},
    {"aten::kthvalue", kthvalue},
};

}  // namespace

std::span<const ops::Kernel> extreme_kernels() { return reduction_extremes_table; }

}  // namespace assay::kernels::reference
