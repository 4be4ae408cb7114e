#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/groups.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Complex128;
using core::DType;
using core::Tensor;
using ops::Call;

template <typename C>
bool is_nan(C v) {
  return v != v;
}

template <bool product>
void cumulate(Call& c) {
  DType as = c.out().dtype();
  int64_t dim = c.integer(arg::dim);
  over_wide(as, [&](auto zero) {
    using C = decltype(zero);
    map_groups(c.out(), Groups<C>(c.tensor(arg::self), as, dim), dim,
               [](std::span<const C> in, C* out) {
                 C running(product ? 1 : 0);
                 for (C v : in) {
                   running = product ? multiply_add(C{}, running, v) : plus(running, v);
                   *out++ = running;
                 }
               });
  });
}

void logcumsumexp(Call& c) {
  Tensor in = c.tensor(arg::self);
  if (!core::is_floating(in.dtype())) {
    common::not_implemented_for(in.dtype(), "logcumsumexp_out_cpu");
  }
  int64_t dim = c.integer(arg::dim);
  map_groups(c.out(), Groups<double>(in, in.dtype(), dim), dim,
             [](std::span<const double> values, double* out) {
               double running = -std::numeric_limits<double>::infinity();
               for (double v : values) {
                 double high = std::fmax(running, v), low = std::fmin(running, v);
                 bool same_infinity = std::isinf(high) && high == low;
                 running = is_nan(running) || is_nan(v) ? running + v
                           : same_infinity              ? high
                                                        : high + std::log1p(std::exp(low - high));
                 *out++ = running;
               }
             });
}

/// The running extreme and its last index; NaN stays once it was seen.
template <bool largest>
void cumulate_extreme(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t dim = c.integer(arg::dim);
  auto run = [&]<typename C>(C) {
    Groups<C> groups(in, in.dtype(), dim);
    auto indices = std::make_unique<int64_t[]>(static_cast<size_t>(in.numel()));
    int64_t* index = indices.get();
    map_groups(c.out(0), groups, dim, [&](std::span<const C> values, C* out) {
      size_t best = 0;
      for (size_t i = 0; i < values.size(); ++i) {
        C v = values[i], b = values[best];
        bool better = largest ? v >= b : v <= b;
        if (is_nan(v) || (!is_nan(b) && better)) best = i;
        *out++ = values[best];
        *index++ = static_cast<int64_t>(best);
      }
    });
    write_groups<int64_t>(c.out(1), dim, {indices.get(), static_cast<size_t>(in.numel())});
  };
  if (core::is_complex(in.dtype()))
    common::not_implemented_for(in.dtype(), common::kernel_name(c).c_str());
  core::is_floating(in.dtype()) ? run(double{}) : run(int64_t{});
}

/// Sorts indices of a group by value; NaN counts as the largest.
template <typename C>
auto before(std::span<const C> group, bool descending) {
  return [group, descending](int64_t a, int64_t b) {
    C x = group[static_cast<size_t>(a)], y = group[static_cast<size_t>(b)];
    if (descending) return (is_nan(x) && !is_nan(y)) || x > y;
    return (!is_nan(x) && is_nan(y)) || x < y;
  };
}

/// Equal values come in the order of the input where they are to be `stable`, else in that in which
/// PyTorch leaves them, whose sort of pairs compares and moves as this one does.
void sort_along(Call& c, bool stable) {
  int64_t dim = c.integer(arg::dim);
  bool descending = c.boolean(arg::descending);
  Tensor in = c.tensor(arg::self);
  auto run = [&]<typename C>(C) {
    Groups<C> groups(in, in.dtype(), dim);
    std::vector<int64_t> indices;
    map_groups(c.out(0), groups, dim, [&](std::span<const C> group, C* out) {
      std::vector<int64_t> order(group.size());
      std::iota(order.begin(), order.end(), 0);
      auto less = before(group, descending);
      stable ? std::stable_sort(order.begin(), order.end(), less)
             : std::sort(order.begin(), order.end(), less);
      for (int64_t index : order) *out++ = group[static_cast<size_t>(index)];
      indices.insert(indices.end(), order.begin(), order.end());
    });
    write_groups<int64_t>(c.out(1), dim, indices);
  };
  core::is_floating(in.dtype()) ? run(double{}) : run(int64_t{});
}

void sort(Call& c) { sort_along(c, false); }
void sort_stable(Call& c) {
  const core::Value& stable = c.value(arg::stable);
  sort_along(c, !stable.is_none() && stable.to_bool());
}

/// The k first indices, chosen and ordered as PyTorch does, so that equal values come in its order.
template <typename C>
std::vector<int64_t> top_indices(std::span<const C> group, int64_t k, bool largest, bool sorted) {
  std::vector<int64_t> order(group.size());
  std::iota(order.begin(), order.end(), 0);
  auto less = before(group, largest);
  auto n = static_cast<int64_t>(group.size());
  if (k > 0 && k * 64 <= n) {
    std::partial_sort(order.begin(), order.begin() + k, order.end(), less);
  } else if (k > 0) {
    std::nth_element(order.begin(), order.begin() + k - 1, order.end(), less);
    if (sorted) std::sort(order.begin(), order.begin() + k - 1, less);
  }
  order.resize(static_cast<size_t>(k));
  return order;
}

void topk(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t k = c.integer(arg::k), dim = c.integer(arg::dim);
  bool largest = c.boolean(arg::largest), sorted = c.boolean(arg::sorted);
  base::check(in.dim() > 0 || k == 1, "topk of a tensor without dimensions: k is ", k,
              ", but there is one element");
  auto run = [&]<typename C>(C) {
    Groups<C> groups(in, in.dtype(), dim);
    std::vector<int64_t> indices;
    std::vector<C> values;
    for (size_t i = 0; i < groups.count(); ++i) {
      for (int64_t index : top_indices(groups[i], k, largest, sorted)) {
        indices.push_back(index);
        values.push_back(groups[i][static_cast<size_t>(index)]);
      }
    }
    write_groups<C>(c.out(0), dim, values);
    write_groups<int64_t>(c.out(1), dim, indices);
  };
  core::is_floating(in.dtype()) ? run(double{}) : run(int64_t{});
}

/// exp(x - largest) over its sum; or the logarithm of that.
template <bool logarithm>
void softmax(Call& c) {
  Tensor in = c.tensor(arg::self);
  DType as = c.out().dtype();
  bool half_on_cpu = as == DType::float16 && c.device().type == core::DeviceType::cpu;
  if (!core::is_floating(as) || half_on_cpu) {
    common::not_implemented_for(
        as, logarithm ? "log_softmax_lastdim_kernel_impl" : "softmax_lastdim_kernel_impl");
  }
  int64_t dim = c.integer(arg::dim);
  map_groups(c.out(), Groups<double>(in, as, dim), dim,
             [](std::span<const double> values, double* out) {
               double largest = -std::numeric_limits<double>::infinity(), sum = 0;
               for (double v : values) largest = v > largest || is_nan(v) ? v : largest;
               for (double v : values) sum += std::exp(v - largest);
               for (double v : values) {
                 *out++ = logarithm ? v - largest - std::log(sum) : std::exp(v - largest) / sum;
               }
             });
}

constexpr ops::Kernel scans_table[] = {
    {"aten::cumsum", cumulate<false>},         {"aten::cumprod", cumulate<true>},
    {"aten::logcumsumexp", logcumsumexp},      {"aten::cummax", cumulate_extreme<true>},
    {"aten::cummin", cumulate_extreme<false>}, {"aten::sort", sort},
    {"aten::sort.stable", sort_stable},        {"aten::topk", topk},
    {"aten::softmax.int", softmax<false>},     {"aten::log_softmax.int", softmax<true>},
    {"aten::_softmax", softmax<false>},        {"aten::_log_softmax", softmax<true>},
};

}  // namespace

std::span<const ops::Kernel> scan_kernels() { return scans_table; }

}  // namespace assay::kernels::reference
