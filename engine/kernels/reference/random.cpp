#include <algorithm>
#include <numeric>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/distributions.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/common/strided_loop.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/filling.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using common::cast;
using core::Dims;
using core::DType;
using core::Generator;
using core::Tensor;
using ops::Call;

/// Sets each element, in the order in which they lie in memory, to draw(zero of the element type).
template <typename Draw>
void fill_drawn(const Tensor& out, const char* what, Draw draw) {
  common::StridedLoop<1> loop(out.sizes(), {out});
  common::over_all(out.dtype(), what, [&](auto zero) {
    using T = decltype(zero);
    loop.run([&](const auto& at, const auto& steps, int64_t count) {
      base::DeadlineTicker deadline;
      for (int64_t i = 0; i < count; ++i) {
        deadline.tick();
        *reinterpret_cast<T*>(at[0] + i * steps[0]) = cast<T>(draw(zero));
      }
    });
  });
}

void check_floating(const Tensor& t, const char* what) {
  if (!core::is_floating(t.dtype())) common::not_implemented_for(t.dtype(), what);
}

void fill_uniform(Generator& g, const Tensor& out, double low, double high) {
  if (core::is_complex(out.dtype())) return fill_uniform(g, ops::views::as_real(out), low, high);
  check_floating(out, "check_uniform_bounds");
  base::check(low <= high, "uniform_ expects to return a [from, to) range, but found from=", low,
              " > to=", high);
  fill_drawn(out, "uniform_", [&](auto zero) {
    using T = decltype(zero);
    if constexpr (common::is_floating_type<T>)
      return common::uniform<T>(g, low, high);
    else
      return zero;
  });
}

void fill_normal(Generator& g, const Tensor& out, double mean, double deviation) {
  base::check(deviation >= 0, "normal expects std >= 0.0, but found std ", deviation);
  if (core::is_complex(out.dtype())) {
    // Each part has half of the variance.
    return fill_normal(g, ops::views::as_real(out), mean, deviation / std::sqrt(2.0));
  }
  check_floating(out, "normal_kernel_cpu");
  if (out.numel() >= 16 && out.is_contiguous()) {
    return common::over_floating(out.dtype(), "normal_kernel_cpu", [&](auto zero) {
      using T = decltype(zero);
      common::fill_normal_blocks(g, out.device_data<T>(), out.numel(), cast<T>(mean),
                                 cast<T>(deviation));
    });
  }
  fill_drawn(out, "normal_", [&](auto) { return common::normal(g, mean, deviation); });
}

void fill_bernoulli(Generator& g, const Tensor& out, double p) {
  base::check(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
  fill_drawn(out, "bernoulli_", [&](auto) { return common::bernoulli<double>(g, p); });
}

/// A probability per element; double probabilities take 64-bit draws.
void fill_bernoulli(Generator& g, const Tensor& out, const Tensor& p) {
  check_floating(p, "bernoulli_tensor_cpu_p_");
  common::StridedLoop<2> loop(out.sizes(), {out, p});
  common::over_floating(p.dtype(), "bernoulli_", [&](auto p_zero) {
    using P = decltype(p_zero);
    using Real = std::conditional_t<std::is_same_v<P, double>, double, float>;
    common::over_all(out.dtype(), "bernoulli_", [&](auto zero) {
      using T = decltype(zero);
      loop.run([&](const auto& at, const auto& steps, int64_t count) {
        base::DeadlineTicker deadline;
        for (int64_t i = 0; i < count; ++i) {
          deadline.tick();
          auto chance = static_cast<Real>(*reinterpret_cast<const P*>(at[1] + i * steps[1]));
          base::check(chance >= 0 && chance <= 1,
                      "Expected p_in >= 0 && p_in <= 1 to be true, but ", "got false.");
          *reinterpret_cast<T*>(at[0] + i * steps[0]) = cast<T>(common::bernoulli<Real>(g, chance));
        }
      });
    });
  });
}

/// The largest integer of which all smaller ones are exact in T.
template <typename T>
uint64_t largest() {
  if constexpr (std::is_same_v<T, core::Bool>)
    return 1;
  else if constexpr (common::is_integer_type<T>)
    return static_cast<uint64_t>(std::numeric_limits<T>::max());
  else
    return uint64_t{1} << common::significant_bits<T>;
}

/// random_ without bounds: all non-negative integers that the type can hold.
void fill_any(Generator& g, const Tensor& out) {
  if (core::is_complex(out.dtype())) common::not_implemented_for(out.dtype(), "random_");
  fill_drawn(out, "random_", [&](auto zero) {
    using T = decltype(zero);
    if constexpr (common::is_complex_type<T>) {
      return zero;
    } else {
      constexpr bool wide = std::is_same_v<T, int64_t> || std::is_same_v<T, double>;
      uint64_t drawn = wide ? g.random64() : g.random();
      return static_cast<int64_t>(drawn % (largest<T>() + 1));
    }
  });
}

void fill_between(Generator& g, const Tensor& out, int64_t low, int64_t high) {
  base::check(low < high, "random_ expects 'from' to be less than 'to', but got from=", low,
              " >= to=", high);
  common::over_real(out.dtype(), "random_", [&](auto zero) {
    using T = decltype(zero);
    if constexpr (common::is_integer_type<T>) {
      using Limits = std::numeric_limits<T>;
      base::check(low >= static_cast<int64_t>(Limits::min()) && low <= int64_t{Limits::max()},
                  "from is out of bounds for ", core::script_name(out.dtype()));
      base::check(high - 1 <= int64_t{Limits::max()}, "to - 1 is out of bounds for ",
                  core::script_name(out.dtype()));
    }
  });
  uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  fill_drawn(out, "random_", [&](auto) { return common::integer_below(g, low, range); });
}

/// random_(from, None): up to the largest value of the type.
void fill_from(Generator& g, const Tensor& out, int64_t low) {
  uint64_t most = 0;
  common::over_real(out.dtype(), "random_", [&](auto zero) { most = largest<decltype(zero)>(); });
  base::check(low <= static_cast<int64_t>(most), "from is out of bounds for ",
              core::script_name(out.dtype()));
  uint64_t range = most - static_cast<uint64_t>(low) + 1;
  fill_drawn(out, "random_", [&](auto) {
    if (range == 0) return static_cast<int64_t>(g.random64());
    return common::integer_below(g, low, range);
  });
}

void fill_permutation(Generator& g, const Tensor& out) {
  int64_t n = out.numel();
  std::vector<int64_t> items(static_cast<size_t>(n));
  std::iota(items.begin(), items.end(), int64_t{0});
  for (int64_t i = 0; i + 1 < n; ++i) {
    auto rest = static_cast<uint64_t>(n - i);
    std::swap(items[static_cast<size_t>(i)], items[static_cast<size_t>(i) + g.random() % rest]);
  }
  Tensor indices = Tensor::empty(Dims{n}, DType::int64);
  std::copy(items.begin(), items.end(), indices.device_data<int64_t>());
  common::copy_elements(out.dim() == 1 ? out : ops::views::view(out, Dims{n}), indices);
}

void rand(const Call& c, const Tensor& out) { fill_uniform(generator_of(c), out, 0, 1); }
void randn(const Call& c, const Tensor& out) { fill_normal(generator_of(c), out, 0, 1); }
template <ops::ArgName end>
void randint_to(const Call& c, const Tensor& out) {
  fill_between(generator_of(c), out, 0, c.integer(end));
}
void randint_between(const Call& c, const Tensor& out) {
  fill_between(generator_of(c), out, c.integer(arg::low), c.integer(arg::high));
}
void randperm(const Call& c, const Tensor& out) { fill_permutation(generator_of(c), out); }
template <ops::ArgName from, ops::ArgName to>
void uniform(const Call& c, const Tensor& out) {
  fill_uniform(generator_of(c), out, c.floating(from), c.floating(to));
}
void normal(const Call& c, const Tensor& out) {
  fill_normal(generator_of(c), out, c.floating(arg::mean), c.floating(arg::std));
}
void bernoulli_number(const Call& c, const Tensor& out) {
  fill_bernoulli(generator_of(c), out, c.floating(arg::p));
}
void bernoulli_tensor(const Call& c, const Tensor& out) {
  fill_bernoulli(generator_of(c), out, c.tensor(arg::p));
}
void bernoulli_self(const Call& c, const Tensor& out) {
  fill_bernoulli(generator_of(c), out, c.tensor(arg::self));
}
void random_any(const Call& c, const Tensor& out) { fill_any(generator_of(c), out); }
void random_from(const Call& c, const Tensor& out) {
  if (c.is_none(arg::to)) return fill_from(generator_of(c), out, c.integer(arg::from));
  fill_between(generator_of(c), out, c.integer(arg::from), c.integer(arg::to));
}

/// Distributions that are functions of one uniform double.
template <double (*map)(const Call&, double)>
void mapped(const Call& c, const Tensor& out) {
  check_floating(out, std::string(c.op.symbol.name()).c_str());
  Generator& g = generator_of(c);
  fill_drawn(out, "random", [&](auto) { return map(c, common::unit<double>(g)); });
}
double exponential(const Call& c, double u) {
  return -1.0 / c.floating(arg::lambd) * std::log(1.0 - u);
}
double cauchy(const Call& c, double u) {
  return c.floating(arg::median) + c.floating(arg::sigma) * std::tan(std::numbers::pi * (u - 0.5));
}
/// Of integers, too.
void geometric(const Call& c, const Tensor& out) {
  double p = c.floating(arg::p);
  base::check(p > 0 && p < 1, "geometric_ expects p to be in (0, 1), but got p=", p);
  bool real = out.dtype() != DType::boolean && !core::is_complex(out.dtype());
  if (!real) common::not_implemented_for(out.dtype(), "geometric_cpu");
  Generator& g = generator_of(c);
  fill_drawn(out, "geometric_",
             [&](auto) { return std::ceil(std::log(common::unit<double>(g)) / std::log(1 - p)); });
}
void log_normal(const Call& c, const Tensor& out) {
  check_floating(out, "log_normal_cpu");
  Generator& g = generator_of(c);
  double mean = c.floating(arg::mean), deviation = c.floating(arg::std);
  base::check(deviation > 0, "log_normal_ expects std > 0.0, but found std=", deviation);
  fill_drawn(out, "log_normal_",
             [&](auto) { return std::exp(common::normal(g, mean, deviation)); });
}

/// Normal numbers around the means, scaled by the deviations, which both may be tensors.
template <bool mean_is_tensor, bool deviation_is_tensor>
void normal_around(Call& c) {
  Tensor out = c.out();
  if (deviation_is_tensor && core::is_floating(c.tensor(arg::std).dtype())) {
    for (double v : dense<double>(c.tensor(arg::std)).values) {
      base::check(!(v < 0), "normal expects all elements of std >= 0.0");
    }
  }
  double deviation = deviation_is_tensor ? 1 : c.floating(arg::std);
  fill_normal(generator_of(c), out, 0, deviation);
  auto apply = [&](auto combine, const Tensor& with) {
    common::over_floating(out.dtype(), "normal", [&](auto zero) {
      using T = decltype(zero);
      common::map<T, T, T>([&](T a, T b) { return static_cast<T>(combine(a, b)); }, out, out,
                           common::packed_as(with, out.dtype()));
    });
  };
  if (deviation_is_tensor) apply([](auto a, auto b) { return a * b; }, c.tensor(arg::std));
  Tensor mean = mean_is_tensor ? c.tensor(arg::mean) : Tensor::empty({}, out.dtype());
  if (!mean_is_tensor) common::fill_elements(mean, c.scalar(arg::mean));
  apply([](auto a, auto b) { return a + b; }, mean);
}

constexpr const char* no_weight = "invalid multinomial distribution (sum of probabilities <= 0)";

/// Draws with replacement from each row of weights: the first index whose cumulated share reaches
/// a uniform number.
void multinomial_with_replacement(Call& c) {
  Tensor weights = common::packed(c.tensor(arg::self)), out = c.out();
  Generator& g = generator_of(c);
  int64_t categories = weights.sizes().back(), samples = out.sizes().back();
  int64_t rows = weights.numel() / std::max<int64_t>(categories, 1);
  common::over_floating(weights.dtype(), "multinomial", [&](auto zero) {
    using T = decltype(zero);
    using Real = common::Computed<T>;
    std::vector<Real> shares(static_cast<size_t>(categories));
    int64_t* to = out.device_data<int64_t>();
    for (int64_t r = 0; r < rows; ++r) {
      const T* row = weights.device_data<T>() + r * categories;
      Real sum = 0;
      for (size_t k = 0; k < shares.size(); ++k) {
        auto weight = static_cast<Real>(row[k]);
        base::check(weight >= 0 && std::isfinite(weight), "invalid multinomial distribution ",
                    "(encountering probability entry < 0, infinite or NaN)");
        sum += weight;
        shares[k] = sum;
      }
      base::check(sum > 0, no_weight);
      for (Real& share : shares) share /= sum;
      shares.back() = 1;
      for (int64_t s = 0; s < samples; ++s) {
        double u = common::unit<double>(g);
        auto found = std::lower_bound(shares.begin(), shares.end(), u, [](Real share, double v) {
          return static_cast<double>(share) < v;
        });
        *to++ = found - shares.begin();
      }
    }
  });
}

/// Without replacement: the indices with the largest weight / exponential number.
void multinomial_without_replacement(Call& c) {
  Tensor weights = common::packed(c.tensor(arg::self)), out = c.out();
  Generator& g = generator_of(c);
  int64_t categories = weights.sizes().back(), samples = out.sizes().back();
  int64_t rows = weights.numel() / std::max<int64_t>(categories, 1);
  // One exponential number per weight, drawn in the order in which the weights lie in memory.
  Tensor given = c.tensor(arg::self);
  Dims layout = core::is_non_overlapping_and_dense(given.sizes(), given.strides())
                    ? given.strides()
                    : weights.strides();
  Tensor draws = Tensor::empty_strided(given.sizes(), layout, weights.dtype());
  fill_drawn(draws, "multinomial", [&](auto) { return -std::log(1.0 - common::unit<double>(g)); });
  draws = common::packed(draws);
  common::over_floating(weights.dtype(), "multinomial", [&](auto zero) {
    using T = decltype(zero);
    const T *weight = weights.device_data<T>(), *drawn = draws.device_data<T>();
    std::vector<double> scores(static_cast<size_t>(weights.numel()));
    for (size_t i = 0; i < scores.size(); ++i) {
      auto w = static_cast<double>(weight[i]);
      base::check(w >= 0 && std::isfinite(w),
                  "probability tensor contains either `inf`, `nan` or element < 0");
      scores[i] = static_cast<double>(static_cast<T>(weight[i] / drawn[i]));
    }
    for (int64_t r = 0; r < rows; ++r) {
      const T* row = weight + r * categories;
      bool some =
          std::any_of(row, row + categories, [](T w) { return static_cast<double>(w) > 0; });
      base::check(some, no_weight);
    }
    std::vector<int64_t> order(static_cast<size_t>(categories));
    int64_t* to = out.device_data<int64_t>();
    for (int64_t r = 0; r < rows; ++r) {
      std::iota(order.begin(), order.end(), r * categories);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
      });
      for (int64_t s = 0; s < samples; ++s) *to++ = order[static_cast<size_t>(s)] - r * categories;
    }
  });
}
void multinomial(Call& c) {
  c.boolean(arg::replacement) ? multinomial_with_replacement(c)
                              : multinomial_without_replacement(c);
}

constexpr ops::Kernel random_table[] = {
    {"aten::rand", fill_result<rand>},
    {"aten::rand.generator", fill_result<rand>},
    {"aten::rand.out", into_out<rand>},
    {"aten::rand.generator_out", into_out<rand>},
    {"aten::rand_like", fill_result<rand>},
    {"aten::randn", fill_result<randn>},
    {"aten::randn.generator", fill_result<randn>},
    {"aten::randn.out", into_out<randn>},
    {"aten::randn.generator_out", into_out<randn>},
    {"aten::randn_like", fill_result<randn>},
    {"aten::randint", fill_result<randint_to<arg::high>>},
    {"aten::randint.generator", fill_result<randint_to<arg::high>>},
    {"aten::randint.low", fill_result<randint_between>},
    {"aten::randint.low_generator", fill_result<randint_between>},
    {"aten::randint.out", into_out<randint_to<arg::high>>},
    {"aten::randint.low_out", into_out<randint_between>},
    {"aten::randint_like", fill_result<randint_to<arg::high>>},
    {"aten::randint_like.low_dtype", fill_result<randint_between>},
    {"aten::randperm", fill_result<randperm>},
    {"aten::randperm.generator", fill_result<randperm>},
    {"aten::randperm.out", into_out<randperm>},
    {"aten::randperm.generator_out", into_out<randperm>},
    {"aten::uniform_", in_place<uniform<arg::from, arg::to>>},
    {"aten::uniform", fill_result<uniform<arg::from, arg::to>>},
    {"aten::_no_grad_uniform_", in_place<uniform<arg::a, arg::b>>},
    {"aten::normal_", in_place<normal>},
    {"aten::_no_grad_normal_", in_place<normal>},
    {"aten::normal_functional", fill_result<normal>},
    {"aten::normal.float_float", fill_result<normal>},
    {"aten::normal.float_float_out", into_out<normal>},
    {"aten::normal.Tensor_float", normal_around<true, false>},
    {"aten::normal.float_Tensor", normal_around<false, true>},
    {"aten::normal.Tensor_Tensor", normal_around<true, true>},
    {"aten::bernoulli", fill_result<bernoulli_self>},
    {"aten::bernoulli.p", fill_result<bernoulli_number>},
    {"aten::bernoulli.Tensor", fill_result<bernoulli_tensor>},
    {"aten::bernoulli_.float", in_place<bernoulli_number>},
    {"aten::bernoulli_.Tensor", in_place<bernoulli_tensor>},
    {"aten::random_", in_place<random_any>},
    {"aten::random_.to", in_place<randint_to<arg::to>>},
    {"aten::random_.from", in_place<random_from>},
    {"aten::random", fill_result<random_any>},
    {"aten::random.to", fill_result<randint_to<arg::to>>},
    {"aten::random.from", fill_result<random_from>},
    {"aten::exponential_", in_place<mapped<exponential>>},
    {"aten::exponential", fill_result<mapped<exponential>>},
    {"aten::geometric_", in_place<geometric>},
    {"aten::geometric", fill_result<geometric>},
    {"aten::cauchy_", in_place<mapped<cauchy>>},
    {"aten::cauchy", fill_result<mapped<cauchy>>},
    {"aten::log_normal_", in_place<log_normal>},
    {"aten::log_normal", fill_result<log_normal>},
    {"aten::multinomial", multinomial},
};

}  // namespace

std::span<const ops::Kernel> random_kernels() { return random_table; }

}  // namespace assay::kernels::reference
