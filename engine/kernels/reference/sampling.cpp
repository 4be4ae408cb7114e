// Numbers drawn by rejection: Poisson's, binomial, gamma and Dirichlet's distributions.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/distributions.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/rejection.h"
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

/// The host's generator; a deadline ends what does not end.
struct GeneratorSource {
  Generator& generator;
  base::DeadlineTicker deadline;

  double unit() { return common::unit<double>(generator); }
  double normal() { return common::normal(generator, 0, 1); }
  bool goes_on() {
    deadline.tick();
    return true;
  }
};

double poisson(Generator& g, double rate) {
  base::check(rate >= 0, "invalid Poisson rate, expected rate to be non-negative");
  GeneratorSource source{g, {}};
  return common::draw_poisson(source, rate);
}

template <typename T>
T binomial(Generator& g, T count, T chance) {
  bool draws = count > 0 && chance > 0 && chance < 1;
  base::check(!draws || std::isfinite(count), "binomial: a count of ", static_cast<double>(count));
  GeneratorSource source{g, {}};
  return common::draw_binomial<T>(source, count, chance);
}

template <typename T>
T gamma(Generator& g, T shape) {
  base::check(shape >= 0, "_standard_gamma: a shape of ", static_cast<double>(shape));
  GeneratorSource source{g, {}};
  return common::draw_gamma<T>(source, shape);
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
