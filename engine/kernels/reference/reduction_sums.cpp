#include <cmath>
#include <limits>

#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/groups.h"
#include "engine/kernels/reference/norm.h"
#include "engine/kernels/reference/pointwise.h"
#include "engine/ops/infer/reduction.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Complex128;
using core::DType;
using core::Tensor;
using ops::Call;

template <typename C>
C sum_of(std::span<const C> values) {
  C sum{};
  for (C v : values) sum = plus(sum, v);
  return sum;
}

template <typename C>
C mean_of(std::span<const C> values) {
  return sum_of(values) / static_cast<double>(values.size());
}

/// Runs f over the groups of the call's argument, which is cast to `as` first.
template <typename F>
void reduce_as(Call& c, DType as, F f) {
  auto reduced = ops::infer::reduction_of(c).reduced;
  over_wide(as, [&](auto zero) {
    using C = decltype(zero);
    reduce_groups(c.out(), Groups<C>(c.tensor(arg::self), as, reduced), f);
  });
}

void sum(Call& c) {
  reduce_as(c, c.out().dtype(), [](auto group) { return sum_of(group); });
}

void nansum(Call& c) {
  base::check(!core::is_complex(c.tensor(arg::self).dtype()),
              "nansum does not support complex inputs");
  bool rounds =
      core::is_floating(c.tensor(arg::self).dtype()) && core::is_integral(c.out().dtype(), true);
  if (rounds) common::not_implemented_for(c.out().dtype(), "nansum_cpu");
  reduce_as(c, c.out().dtype(), [](auto group) {
    using C = std::remove_const_t<typename decltype(group)::element_type>;
    C total{};
    for (C v : group) total += v == v ? v : C{};
    return total;
  });
}

void prod(Call& c) {
  reduce_as(c, c.out().dtype(), [](auto group) {
    using C = std::remove_const_t<typename decltype(group)::element_type>;
    C product(1);
    for (C v : group) product = multiply_add(C{}, product, v);
    return product;
  });
}

void mean(Call& c) {
  DType as = c.out().dtype();
  auto reduced = ops::infer::reduction_of(c).reduced;
  auto run = [&]<typename C>(C) {
    reduce_groups(c.out(), Groups<C>(c.tensor(arg::self), as, reduced),
                  [](auto group) { return mean_of(group); });
  };
  core::is_complex(as) ? run(Complex128{}) : run(double{});
}

/// Mean of squared distances from the mean, with `correction` elements taken off the count.
template <typename C>
double variance_of(std::span<const C> values, double correction) {
  C mean = mean_of(values);
  double squares = 0;
  for (C v : values) squares += std::norm(v - mean);
  return squares / std::fmax(static_cast<double>(values.size()) - correction, 0.0);
}

template <bool root, bool with_mean>
void moment(Call& c) {
  Tensor in = c.tensor(arg::self);
  auto correction = static_cast<double>(c.integer_or(arg::correction, 1));
  auto reduced = ops::infer::reduction_of(c).reduced;
  auto run = [&]<typename C>(C) {
    Groups<C> groups(in, in.dtype(), reduced);
    reduce_groups(c.out(), groups, [&](auto group) {
      double variance = variance_of(group, correction);
      return root ? std::sqrt(variance) : variance;
    });
    if (with_mean) reduce_groups(c.out(1), groups, [](auto group) { return mean_of(group); });
  };
  core::is_complex(in.dtype()) ? run(Complex128{}) : run(double{});
}

void norm(Call& c) {
  Tensor in = c.tensor(arg::self);
  const core::Value& order = c.value(c.has(arg::p) ? arg::p : arg::ord);
  double p = order.is_none() ? 2.0 : order.to_scalar().to_double();
  DType as = c.has(arg::dtype) ? c.dtype_or(arg::dtype, in.dtype()) : in.dtype();
  auto reduced = ops::infer::reduction_of(c).reduced;
  bool empty = in.numel() == 0 && (p < 0 || std::isinf(p));
  base::check(!empty || c.out().numel() == 0, "linalg.vector_norm cannot compute the ", p,
              " norm on an empty tensor because the operation does not have an identity");
  auto run = [&]<typename C>(C) {
    reduce_groups(c.out(), Groups<C>(in, as, reduced), [&](auto group) {
      Norm norm(p);
      for (C v : group) norm.add(std::abs(v));
      return norm.result();
    });
  };
  core::is_complex(as) ? run(Complex128{}) : run(double{});
}

/// log(sum(exp(x))), taken relative to the largest x.
void logsumexp(Call& c) {
  base::check(!core::is_complex(c.out().dtype()), "logsumexp does not support complex inputs");
  auto reduced = ops::infer::reduction_of(c).reduced;
  reduce_groups(c.out(), Groups<double>(c.tensor(arg::self), c.out().dtype(), reduced),
                [](auto group) {
                  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
                  for (double v : group) largest = std::fmax(largest, v);
                  if (std::isinf(largest)) {
                    for (double v : group) sum += std::exp(v);
                    return std::log(sum);
                  }
                  for (double v : group) sum += std::exp(v - largest);
                  return largest + std::log(sum);
                });
}

void trace(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t n = std::min(in.size(0), in.size(1));
  Tensor diagonal = in.view(core::Dims{n}, core::Dims{in.stride(0) + in.stride(1)}, in.offset());
  DType as = c.out().dtype();
  over_wide(as, [&](auto zero) {
    using C = decltype(zero);
    reduce_groups(c.out(), Groups<C>(diagonal, as, 0), [](auto group) { return sum_of(group); });
  });
}

/// count_nonzero, any, all: how many elements are not zero.
template <typename F>
void count_and(Call& c, F f) {
  reduce_as(c, c.tensor(arg::self).dtype(), [&](auto group) {
    int64_t count = 0;
    for (auto v : group) count += v != decltype(v){};
    return f(count, static_cast<int64_t>(group.size()));
  });
}

void count_nonzero(Call& c) {
  count_and(c, [](int64_t count, int64_t) { return count; });
}
void any(Call& c) {
  count_and(c, [](int64_t count, int64_t) { return count > 0; });
}
void all(Call& c) {
  count_and(c, [](int64_t count, int64_t length) { return count == length; });
}

constexpr ops::Kernel reduction_sums_table[] = {
    {"aten::sum", sum},
    {"aten::sum.dim_IntList", sum},
    {"aten::nansum", nansum},
    {"aten::prod", prod},
    {"aten::prod.dim_int", prod},
    {"aten::mean", mean},
    {"aten::mean.dim", mean},
    {"aten::std.correction", moment<true, false>},
    {"aten::var.correction", moment<false, false>},
    {"aten::std_mean.correction", moment<true, true>},
    {"aten::var_mean.correction", moment<false, true>},
    {"aten::norm.Scalar", norm},
    {"aten::norm.ScalarOpt_dim", norm},
    {"aten::norm.ScalarOpt_dim_dtype", norm},
    {"aten::norm.ScalarOpt_dtype", norm},
    {"aten::linalg_vector_norm", norm},
    {"aten::logsumexp", logsumexp},
    {"aten::trace", trace},
    {"aten::count_nonzero", count_nonzero},
    {"aten::count_nonzero.dim_IntList", count_nonzero},
    {"aten::any", any},
    {"aten::any.dim", any},
    {"aten::all", all},
    {"aten::all.dim", all},
};

}  // namespace

std::span<const ops::Kernel> sum_kernels() { return reduction_sums_table; }

}  // namespace assay::kernels::reference
