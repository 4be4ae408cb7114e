#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/distributions.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/filling.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

/// Samples by rejection: each takes as many draws from the generator as it needs. Draws, order and
/// rounding are PyTorch's, so that the same seed gives the same numbers.
namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Generator;
using core::Tensor;
using ops::Call;

double unit(Generator& g) { return common::unit<double>(g); }

/// Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). Constants have
/// float's digits; the shape is stepped in T.
template <typename T>
T standard_gamma(Generator& g, T shape) {
  double scale = 1;
  if (shape < 1) {  // A sample of shape + 1 times u^(1 / shape).
    if (shape == 0) return 0;
    scale = std::pow(1 - unit(g), static_cast<double>(1 / shape));
    shape += 1;
  }
  const double d = static_cast<double>(shape - static_cast<T>(1.0f / 3.0f));
  const double c = 1 / std::sqrt(9 * d);
  base::DeadlineTicker deadline;
  for (;;) {
    deadline.tick();
    double x = 0, y = 0;
    do {
      x = common::normal(g, 0, 1);
      y = 1 + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - unit(g), square = x * x;
    bool taken = u < 1 - static_cast<double>(0.0331f) * square * square ||
                 std::log(u) < 0.5 * square + d * (1 - v + std::log(v));
    if (taken || std::isnan(v)) return static_cast<T>(scale * d * v);
  }
}

/// Knuth's products below 10; from there Hörmann's transformed rejection, "The transformed
/// rejection method for generating Poisson random variables" (1993).
double poisson_sample(Generator& g, double rate) {
  base::check(rate >= 0, "invalid Poisson rate, expected rate to be non-negative");
  base::DeadlineTicker deadline;
  if (rate == 0) return 0;
  if (rate < 10) {
    const double limit = std::exp(-rate);
    double product = 1;
    for (double count = 0;; ++count) {
      deadline.tick();
      product *= unit(g);
      if (product <= limit) return count;
    }
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), tight = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    deadline.tick();
    const double u = unit(g) - 0.5, v = unit(g), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= tight) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double log_ratio = std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b);
    if (log_ratio <= -rate + k * std::log(rate) - std::lgamma(k + 1)) return k;
  }
}

/// log(k!) less Stirling's formula for it.
double stirling_tail(double k) {
  static constexpr double small[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                                     0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                                     0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                                     0.00833056343336287};
  if (k <= 9) return small[static_cast<size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/// How many geometric waiting times fit into the trials.
template <typename T>
T binomial_by_waiting(Generator& g, T count, T p) {
  const double log_failure = std::log1p(-p);
  double waited = 0;
  base::DeadlineTicker deadline;
  for (T successes = 0;; successes += 1) {
    deadline.tick();
    waited += std::ceil(std::log(unit(g)) / log_failure);
    if (!(waited <= static_cast<double>(count))) return successes;
  }
}

/// Hörmann's BTRS, "The generation of binomial random variates" (1993), for p <= 1/2 and at least
/// 10 expected successes.
template <typename T>
T binomial_by_rejection(Generator& g, T count, T p) {
  const double n = static_cast<double>(count), r = static_cast<double>(p / (1 - p));
  const double deviation = static_cast<double>(std::sqrt(count * p * (1 - p)));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * static_cast<double>(p);
  const double center = static_cast<double>(count * p) + 0.5, tight = 0.92 - 4.2 / b;
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double m = static_cast<double>(std::floor((count + 1) * p));
  base::DeadlineTicker deadline;
  for (;;) {
    deadline.tick();
    const double u = unit(g) - 0.5, v = unit(g), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + center);
    if (!(k >= 0 && k <= n)) continue;
    if (us >= 0.07 && v <= tight) return static_cast<T>(k);
    const double log_ratio = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (m + 0.5) * std::log((m + 1) / (r * (n - m + 1))) +
                         (n + 1) * std::log((n - m + 1) / (n - k + 1)) +
                         (k + 0.5) * std::log(r * (n - k + 1) / (k + 1)) + stirling_tail(m) +
                         stirling_tail(n - m) - stirling_tail(k) - stirling_tail(n - k);
    if (log_ratio <= bound) return static_cast<T>(k);
  }
}

template <typename T>
T binomial_sample(Generator& g, T count, T p) {
  if (std::isnan(p) || std::isnan(count)) return std::numeric_limits<T>::quiet_NaN();
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (p > 0.5) return count - binomial_sample<T>(g, count, 1 - p);
  return count * p >= 10 ? binomial_by_rejection(g, count, p) : binomial_by_waiting(g, count, p);
}

/// Calls body(zero) for float and double, as PyTorch's samplers do.
template <typename Body>
void over_samples(DType dtype, const char* what, Body body) {
  if (dtype == DType::float32) return body(float{});
  if (dtype == DType::float64) return body(double{});
  common::not_implemented_for(dtype, what);
}

/// A new sample for each element, row by row.
template <typename Sample>
void sample_each(Call& c, const char* what, Sample sample) {
  Tensor out = c.out(), parameters = common::packed(c.tensor(arg::self));
  Tensor samples = Tensor::empty(out.sizes(), out.dtype());
  over_samples(out.dtype(), what, [&](auto zero) {
    using T = decltype(zero);
    const T* from = parameters.device_data<T>();
    std::transform(from, from + out.numel(), samples.device_data<T>(), sample);
  });
  common::copy_elements(out, samples);
}

void gamma_kernel(Call& c) {
  Generator& g = generator_of(c);
  sample_each(c, "gamma_cpu", [&](auto shape) {
    using T = decltype(shape);
    return std::max(std::numeric_limits<T>::min(), standard_gamma<T>(g, shape));
  });
}

void poisson_kernel(Call& c) {
  Generator& g = generator_of(c);
  sample_each(c, "poisson_cpu", [&](auto rate) {
    return static_cast<decltype(rate)>(poisson_sample(g, static_cast<double>(rate)));
  });
}

/// Shares of gamma samples, kept inside of the open unit interval.
void dirichlet_kernel(Call& c) {
  Generator& g = generator_of(c);
  Tensor out = c.out(), given = common::packed(c.tensor(arg::self));
  Tensor samples = Tensor::empty(out.sizes(), out.dtype());
  over_samples(out.dtype(), "dirichlet", [&](auto zero) {
    using T = decltype(zero);
    const int64_t n = out.numel(), width = out.dim() == 0 ? 1 : out.sizes().back();
    std::vector<double> gammas(static_cast<size_t>(n));
    std::transform(given.device_data<T>(), given.device_data<T>() + n, gammas.begin(),
                   [&](T shape) {
                     return std::max(std::numeric_limits<double>::min(),
                                     standard_gamma<double>(g, static_cast<double>(shape)));
                   });
    T* to = samples.device_data<T>();
    for (int64_t i = 0; i < n; i += width) {
      auto row = gammas.begin() + i;
      double sum = 0;
      for (int64_t k = 0; k < width; ++k) sum += row[k];
      for (int64_t k = 0; k < width; ++k) {
        *to++ = std::clamp(static_cast<T>(row[k] / sum), std::numeric_limits<T>::min(),
                           std::nextafter(T{1}, T{0}));
      }
    }
  });
  common::copy_elements(out, samples);
}

void binomial_kernel(Call& c) {
  Generator& g = generator_of(c);
  Tensor out = c.out();
  base::check(c.tensor(arg::count).dtype() == c.tensor(arg::prob).dtype(),
              "binomial: count and prob have different element types");
  auto wide = [&](const Tensor& t) { return common::packed(ops::views::expand(t, out.sizes())); };
  Tensor counts = wide(c.tensor(arg::count)), chances = wide(c.tensor(arg::prob));
  Tensor samples = Tensor::empty(out.sizes(), out.dtype());
  over_samples(out.dtype(), "binomial_cpu", [&](auto zero) {
    using T = decltype(zero);
    const T *count = counts.device_data<T>(), *chance = chances.device_data<T>();
    std::transform(count, count + out.numel(), chance, samples.device_data<T>(),
                   [&](T n, T p) { return binomial_sample<T>(g, n, p); });
  });
  common::copy_elements(out, samples);
}

constexpr ops::Kernel kernels[] = {
    {"aten::_standard_gamma", gamma_kernel},
    {"aten::_sample_dirichlet", dirichlet_kernel},
    {"aten::poisson", poisson_kernel},
    {"aten::binomial", binomial_kernel},
};

}  // namespace

std::span<const ops::Kernel> sampling_kernels() { return kernels; }

}  // namespace assay::kernels::reference
