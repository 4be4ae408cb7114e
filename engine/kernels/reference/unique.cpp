#include <algorithm>
#include <numeric>

#include "engine/base/checked.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/groups.h"
#include "engine/ops/promotion.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// Which slices of a tensor are kept as its distinct ones, and where each slice went.
struct Distinct {
  std::vector<int64_t> kept;     ///< A slice for each distinct one.
  std::vector<int64_t> inverse;  ///< Per slice: the position in `kept`.
  std::vector<int64_t> counts;   ///< Per distinct one.
};

/// Slices are numbers 0 to n; `same` compares neighbours in `order`.
template <typename Same>
Distinct distinct_of(const std::vector<int64_t>& order, Same same) {
  Distinct d;
  d.inverse.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !same(order[i - 1], order[i])) {
      d.kept.push_back(order[i]);
      d.counts.push_back(0);
    }
    ++d.counts.back();
    d.inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(d.kept.size()) - 1;
  }
  return d;
}

std::vector<int64_t> in_order(size_t n) {
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Tensor int_tensor(const Call& c, core::DimSpan sizes, const std::vector<int64_t>& values) {
  Tensor out = c.new_empty(sizes, DType::int64);
  std::copy(values.begin(), values.end(), out.device_data<int64_t>());
  return out;
}

/// A result that was not asked for is an empty tensor.
Tensor if_asked(const Call& c, bool asked, core::DimSpan sizes,
                const std::vector<int64_t>& values) {
  return asked ? int_tensor(c, sizes, values) : int_tensor(c, core::Dims{0}, {});
}

/// Distinct elements of a flattened tensor: sorted, or only neighbours compared.
void unique_elements(Call& c, bool sort, bool inverse, bool counts, bool with_counts) {
  Tensor in = c.tensor(arg::self);
  c.synchronized();
  over_wide(in.dtype(), [&](auto zero) {
    using C = decltype(zero);
    Dense<C> values = dense<C>(in);
    auto order = in_order(values.values.size());
    auto value = [&](int64_t i) { return values.values[static_cast<size_t>(i)]; };
    if constexpr (!common::is_complex_type<C>) {
      auto less = [&](int64_t a, int64_t b) {
        C x = value(a), y = value(b);
        return (x == x && y != y) || x < y;
      };
      if (sort) std::stable_sort(order.begin(), order.end(), less);
    }
    Distinct d = distinct_of(order, [&](int64_t a, int64_t b) { return value(a) == value(b); });
    std::vector<C> kept;
    for (int64_t i : d.kept) kept.push_back(value(i));
    auto n = static_cast<int64_t>(kept.size());
    Tensor out = c.new_empty(core::Dims{n}, in.dtype());
    write_results<C>(out, kept);
    core::Values results{core::Value(out),
                         core::Value(if_asked(c, inverse, in.sizes(), d.inverse))};
    if (with_counts) {
      results.emplace_back(if_asked(c, counts, core::Dims{n}, d.counts));
    }
    c.finish(std::move(results));
  });
}

/// Distinct slices along a dimension, compared element by element.
void unique_slices(Call& c, int64_t dim_argument, bool sort, bool inverse, bool counts) {
  Tensor in = c.tensor(arg::self);
  c.synchronized();
  auto dim = static_cast<size_t>(core::wrap_dim(dim_argument, in.dim()));
  base::check(in.dim() > 0, "unique_dim: the tensor has no dimension");
  auto n = static_cast<size_t>(in.size(dim));
  // The dimension first: a slice is then a run of `length` elements.
  core::Dims sizes = in.sizes(), strides = in.strides();
  std::swap(sizes[0], sizes[dim]);
  std::swap(strides[0], strides[dim]);
  Tensor moved = in.view(sizes, strides, in.offset());
  size_t length = n == 0 ? 0 : static_cast<size_t>(in.numel()) / n;
  base::check(
      n == 0 || length > 0 || in.numel() > 0,
      "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  over_wide(in.dtype(), [&](auto zero) {
    using C = decltype(zero);
    Dense<C> values = dense<C>(moved);
    auto slice = [&](int64_t i) {
      return std::span<const C>(values.values).subspan(static_cast<size_t>(i) * length, length);
    };
    auto order = in_order(n);
    if constexpr (!common::is_complex_type<C>) {
      auto less = [&](int64_t a, int64_t b) {
        auto x = slice(a), y = slice(b);
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
      };
      if (sort) std::stable_sort(order.begin(), order.end(), less);
    }
    Distinct d = distinct_of(order, [&](int64_t a, int64_t b) {
      auto x = slice(a), y = slice(b);
      return std::equal(x.begin(), x.end(), y.begin());
    });
    auto kept = static_cast<int64_t>(d.kept.size());
    core::Dims out_sizes = in.sizes();
    out_sizes[dim] = kept;
    Tensor out = c.new_empty(out_sizes, in.dtype());
    for (size_t k = 0; k < d.kept.size(); ++k) {
      core::Dims one = out_sizes;
      one[dim] = 1;
      common::copy_elements(
          out.view(one, out.strides(), out.offset() + static_cast<int64_t>(k) * out.stride(dim)),
          in.view(one, in.strides(), in.offset() + d.kept[k] * in.stride(dim)));
    }
    c.finish({core::Value(out),
              core::Value(if_asked(c, inverse, core::Dims{static_cast<int64_t>(n)}, d.inverse)),
              core::Value(if_asked(c, counts, core::Dims{kept}, d.counts))});
  });
}

void unique(Call& c) { unique_elements(c, true, c.boolean(arg::return_inverse), false, false); }
// _unique2 gives the inverse whenever counts are asked for.
void unique2(Call& c) {
  unique_elements(c, true, c.boolean(arg::return_inverse) || c.boolean(arg::return_counts),
                  c.boolean(arg::return_counts), true);
}
void unique_consecutive(Call& c) {
  if (!c.is_none(arg::dim)) return unique_slices(c, c.integer(arg::dim), false, true, true);
  unique_elements(c, false, c.boolean(arg::return_inverse), c.boolean(arg::return_counts), true);
}
// Along a dimension, inverse and counts are given whether they were asked for or not.
void unique_dim(Call& c) { unique_slices(c, c.integer(arg::dim), true, true, true); }
void unique_dim_consecutive(Call& c) { unique_slices(c, c.integer(arg::dim), false, true, true); }

/// How often each non-negative integer occurs, or the sum of its weights.
void bincount(Call& c) {
  Tensor in = c.tensor(arg::self), weights = c.tensor(arg::weights);
  base::check(in.dim() == 1 || in.numel() == 0,
              "bincount only supports 1-d non-negative integral inputs.");
  base::check(!weights || (weights.dim() == 1 && weights.numel() == in.numel()),
              "weights should be 1-d and have the same length as input");
  c.synchronized();
  Dense<int64_t> values = dense<int64_t>(in);
  int64_t bins = c.integer(arg::minlength);
  for (int64_t v : values.values) {
    base::check(v >= 0, "bincount only supports 1-d non-negative integral inputs.");
    bins = std::max(bins, base::checked_add(v, 1));
  }
  if (!weights) {
    Tensor out = c.new_empty(core::Dims{bins}, DType::int64);
    std::fill_n(out.device_data<int64_t>(), bins, 0);
    for (int64_t v : values.values) ++out.device_data<int64_t>()[v];
    return c.finish(core::Value(out));
  }
  Tensor out = c.new_empty(core::Dims{bins},
                           weights.dtype() == DType::float32 ? DType::float32 : DType::float64);
  Dense<double> given = dense<double>(weights), sums(out.sizes());
  for (size_t i = 0; i < values.values.size(); ++i) {
    sums.values[static_cast<size_t>(values.values[i])] += given.values[i];
  }
  store(sums, out);
  c.finish(core::Value(out));
}

/// Whether each element is among the others.
void isin(Call& c) {
  Tensor elements = c.tensor(arg::elements), others = c.tensor(arg::test_elements);
  bool invert = c.boolean(arg::invert);
  DType common = ops::result_type(std::array{elements, others}, c.context.default_dtype);
  Tensor out = c.new_empty(elements.sizes(), DType::boolean);
  over_wide(common, [&](auto zero) {
    using C = decltype(zero);
    if constexpr (common::is_complex_type<C>) {
      base::fail("Unsupported input type encountered for isin(): ", core::script_name(common));
    } else {
      auto of = [&](const Tensor& t) { return dense<C>(common::packed_as(t, common)).values; };
      std::vector<C> sorted = of(others), wanted = of(elements);
      // NaN equals nothing, and has no place in an order.
      std::erase_if(sorted, [](C v) { return v != v; });
      std::sort(sorted.begin(), sorted.end());
      for (size_t i = 0; i < wanted.size(); ++i) {
        C v = wanted[i];
        bool found = v == v && std::binary_search(sorted.begin(), sorted.end(), v);
        out.device_data<core::Bool>()[i] = found != invert;
      }
    }
  });
  c.finish(core::Value(out));
}

/// Whether elements that lie one behind the other are equal, a block of them at a time.
template <typename T>
bool equal_rows(const T* a, const T* b, int64_t count) {
  constexpr int64_t block = 4096;
  for (int64_t begin = 0; begin < count; begin += block) {
    int64_t end = std::min(count, begin + block);
    int differ = 0;
#pragma omp simd reduction(| : differ)
    for (int64_t i = begin; i < end; ++i) differ |= static_cast<int>(!(a[i] == b[i]));
    if (differ != 0) return false;
  }
  return true;
}

/// Same shape and equal elements; NaN equals nothing.
void equal(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  base::check(a.dtype() == b.dtype(), "Expected object of data type ", core::script_name(a.dtype()),
              " but got data type ", core::script_name(b.dtype()),
              " for argument 'other' in call to equal");
  c.synchronized();
  if (a.sizes() != b.sizes()) return c.finish(core::Value(false));
  if (a.is_contiguous() && b.is_contiguous()) {
    return common::over_all(a.dtype(), "equal", [&](auto zero) {
      using T = decltype(zero);
      c.finish(core::Value(equal_rows(a.device_data<T>(), b.device_data<T>(), a.numel())));
    });
  }
  over_wide(a.dtype(), [&](auto zero) {
    using C = decltype(zero);
    c.finish(core::Value(dense<C>(a).values == dense<C>(b).values));
  });
}

constexpr ops::Kernel unique_table[] = {
    {"aten::_unique", unique},
    {"aten::_unique2", unique2},
    {"aten::unique_consecutive", unique_consecutive},
    {"aten::unique_dim", unique_dim},
    {"aten::unique_dim_consecutive", unique_dim_consecutive},
    {"aten::bincount", bincount},
    {"aten::isin.Tensor_Tensor", isin},
    {"aten::equal", equal},
};

}  // namespace

std::span<const ops::Kernel> unique_kernels() { return unique_table; }

}  // namespace assay::kernels::reference
