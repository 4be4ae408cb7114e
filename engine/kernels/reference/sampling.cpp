// Numbers drawn by rejection: Poisson's, binomial, gamma and Dirichlet's distributions.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/distributions.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/filling.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Generator;
using core::Tensor;
using ops::Call;

/// Calls attempt() until it gives a number.
template <typename Attempt>
auto first_of(Attempt attempt) {
  base::DeadlineTicker deadline;
  for (;;) {
    deadline.tick();
    if (auto drawn = attempt()) return *drawn;
  }
}

double unit(Generator& g) { return common::unit<double>(g); }

// Poisson: products of uniform numbers, or for great rates the transformed rejection of Hörmann
// 1993, with his constants.

double few_events(Generator& g, double rate) {
  double floor = std::exp(-rate), product = unit(g), events = 0;
  for (; product > floor; ++events) product *= unit(g);
  return events;
}

double many_events(Generator& g, double rate) {
  double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), box = 0.9277 - 3.6224 / (b - 2);
  return first_of([&]() -> std::optional<double> {
    double u = unit(g) - 0.5, v = unit(g), near = 0.5 - std::fabs(u);
    auto k = static_cast<double>(
        common::cast<int64_t>(std::floor((2 * a / near + b) * u + rate + 0.43)));
    if (near >= 0.07 && v <= box) return k;
    if (k < 0 || (near < 0.013 && v > near)) return std::nullopt;
    double log_v = std::log(v) + std::log(inverse_alpha) - std::log(a / (near * near) + b);
    if (log_v <= -rate + k * std::log(rate) - std::lgamma(k + 1)) return k;
    return std::nullopt;
  });
}

double poisson(Generator& g, double rate) {
  base::check(rate >= 0, "invalid Poisson rate, expected rate to be non-negative");
  if (rate == 0) return 0;
  return rate >= 10 ? many_events(g, rate) : few_events(g, rate);
}

// Binomial: sums of geometric numbers, or Hörmann's transformed rejection with squeezing (1993).
// Counts and chances stay in their type, as PyTorch computes.

/// What Stirling's formula leaves of log k!.
double stirling_rest(double k) {
  static constexpr double first[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                                     0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                                     0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                                     0.00833056343336287};
  if (k <= 9) return first[static_cast<size_t>(std::max(k, 0.0))];
  double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

template <typename T>
T few_hits(Generator& g, T count, T chance) {
  double log_miss = std::log1p(-chance), tries = 0;
  T hits = 0;
  return first_of([&]() -> std::optional<T> {
    tries += std::ceil(std::log(unit(g)) / log_miss);
    if (tries > count) return hits;
    hits += 1;
    return std::nullopt;
  });
}

template <typename T>
T many_hits(Generator& g, T count, T chance) {
  const double deviation = std::sqrt(count * chance * (1 - chance));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * chance;
  const double center = count * chance + 0.5, box = 0.92 - 4.2 / b;
  const double odds = chance / (1 - chance), alpha = (2.83 + 5.1 / b) * deviation;
  const double m = std::floor((count + 1) * chance);
  return first_of([&]() -> std::optional<T> {
    double u = unit(g) - 0.5, v = unit(g), near = 0.5 - std::fabs(u);
    T k = static_cast<T>(std::floor((2 * a / near + b) * u + center));
    if (k < 0 || k > count) return std::nullopt;
    if (near >= 0.07 && v <= box) return k;
    v = std::log(v * alpha / (a / (near * near) + b));
    double bound = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) +
                   (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                   (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirling_rest(m) +
                   stirling_rest(count - m) - stirling_rest(k) - stirling_rest(count - k);
    return v <= bound ? std::optional<T>(k) : std::nullopt;
  });
}

template <typename T>
T binomial(Generator& g, T count, T chance) {
  if (count <= 0 || chance <= 0) return 0;
  if (chance >= 1) return count;
  if (std::isnan(chance)) return chance;
  base::check(std::isfinite(count), "binomial: a count of ", static_cast<double>(count));
  bool turned = chance > T{0.5};
  T less = turned ? static_cast<T>(1.0 - chance) : chance;
  T hits = count * less >= 10 ? many_hits(g, count, less) : few_hits(g, count, less);
  return turned ? count - hits : hits;
}

// Gamma: Marsaglia and Tsang 2000.

template <typename T>
T gamma(Generator& g, T shape) {
  base::check(shape >= 0, "_standard_gamma: a shape of ", static_cast<double>(shape));
  double scale = 1;
  if (shape < 1) {
    if (shape == 0) return std::numeric_limits<T>::min();
    scale = std::pow(1 - unit(g), static_cast<double>(T{1} / shape));
    shape += 1;
  }
  const double d = shape - 1.0f / 3.0f, c = 1 / std::sqrt(9 * d);
  double drawn = first_of([&]() -> std::optional<double> {
    double x = common::normal(g, 0, 1), y = 1 + c * x;
    if (y <= 0) return std::nullopt;
    double v = y * y * y, u = 1 - unit(g), square = x * x;
    bool inside = u < 1 - static_cast<double>(0.0331f) * square * square ||
                  std::log(u) < 0.5 * square + d * (1 - v + std::log(v));
    return inside ? std::optional<double>(scale * d * v) : std::nullopt;
  });
  return std::max(std::numeric_limits<T>::min(), static_cast<T>(drawn));
}

/// Calls draw(number of the type T) for each element, row by row.
template <typename Draw>
void draw_each(const Tensor& self, const Tensor& out, const char* what, Draw draw) {
  auto each = [&]<typename T>(T) {
    auto from = dense<double>(self);
    for (double& v : from.values) v = static_cast<double>(draw(static_cast<T>(v)));
    store(from, out);
  };
  if (self.dtype() == DType::float64) return each(double{});
  if (self.dtype() == DType::float32) return each(float{});
  common::not_implemented_for(self.dtype(), what);
}

void poisson_each(const Call& c, const Tensor& out) {
  Tensor self = c.tensor(arg::self);
  bool known = core::is_floating(self.dtype()) && self.dtype() != DType::float16;
  if (!known) common::not_implemented_for(self.dtype(), "poisson_cpu");
  auto rates = dense<double>(self);
  Generator& g = generator_of(c);
  for (double& v : rates.values) v = poisson(g, v);
  store(rates, out);
}

void gamma_each(const Call& c, const Tensor& out) {
  Generator& g = generator_of(c);
  draw_each(c.tensor(arg::self), out, "gamma_cpu", [&](auto shape) { return gamma(g, shape); });
}

void binomial_each(Call& c) {
  Tensor counts = c.tensor(arg::count), chances = c.tensor(arg::prob);
  base::check(counts.dtype() == chances.dtype(), "Found dtype ", core::script_name(counts.dtype()),
              " but expected ", core::script_name(chances.dtype()));
  core::Dims sizes = core::broadcast(counts.sizes(), chances.sizes());
  Tensor out = c.new_empty(sizes, counts.dtype());
  auto given = dense<double>(expanded(chances, sizes));
  Generator& g = generator_of(c);
  size_t at = 0;
  draw_each(expanded(counts, sizes), out, "binomial_cpu", [&](auto count) {
    return binomial(g, count, static_cast<decltype(count)>(given.values[at++]));
  });
  c.finish(out);
}

/// Gamma numbers, divided by their sum over the last dimension.
void dirichlet(const Call& c, const Tensor& out) {
  Tensor self = c.tensor(arg::self);
  Generator& g = generator_of(c);
  Dense<double> drawn(self.sizes());
  size_t at = 0;
  draw_each(self, out, "dirichlet", [&](auto shape) {
    drawn.values[at++] = gamma(g, static_cast<double>(shape));
    return shape;
  });
  size_t row = self.dim() == 0 ? 1 : static_cast<size_t>(self.sizes().back());
  bool wide = self.dtype() == DType::float64;
  double least = wide ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
  double most = wide ? std::nextafter(1.0, 0.0) : std::nextafter(1.0f, 0.0f);
  for (size_t start = 0; start < drawn.values.size(); start += row) {
    double sum = 0;
    for (size_t i = start; i < start + row; ++i) sum += drawn.values[i];
    for (size_t i = start; i < start + row; ++i)
      drawn.values[i] = std::min(most, std::max(least, drawn.values[i] / sum));
  }
  store(drawn, out);
}

/// A row-major tensor like `self`, filled.
template <Fill fill>
void in_rows(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.new_empty(self.sizes(), self.dtype());
  fill(c, out);
  c.finish(out);
}

constexpr ops::Kernel sampling_table[] = {
    {"aten::poisson", in_rows<poisson_each>},
    {"aten::binomial", binomial_each},
    {"aten::_standard_gamma", in_rows<gamma_each>},
    {"aten::_sample_dirichlet", in_rows<dirichlet>},
};

}  // namespace

std::span<const ops::Kernel> sampling_kernels() { return sampling_table; }

}  // namespace assay::kernels::reference
