// Tensors filled with random numbers.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/rounded_product.h"
#include "engine/kernels/cuda/draw_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/filling.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// What a distribution of elements of this type is computed in.
template <typename T>
using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;

void check_floating(const Tensor& t, const char* what) {
  if (!core::is_floating(t.dtype())) common::not_implemented_for(t.dtype(), what);
}

/// From (0, 1] to [from, to).
template <typename T>
struct MakeUniform {
  Real<T> range, from;
  T low, high;

  ASSAY_ANYWHERE T operator()(Real<T> u) const {
    T value = convert<T>(std::fma(u, range, from));
    return convert<Real<T>>(value) == convert<Real<T>>(high) ? low : value;
  }
};

template <typename T>
void run_uniform(const Call& c, const Tensor& out, double low, double high) {
  T from = convert<T>(low), to = convert<T>(high);
  T range = convert<T>(convert<Real<T>>(to) - convert<Real<T>>(from));
  draw_elements<UniformDraw<Real<T>>, T>(
      c, out, MakeUniform<T>{convert<Real<T>>(range), convert<Real<T>>(from), from, to});
}

void fill_uniform(const Call& c, const Tensor& out, double low, double high) {
  if (core::is_complex(out.dtype())) return fill_uniform(c, ops::views::as_real(out), low, high);
  check_floating(out, "check_uniform_bounds");
  base::check(low <= high, "uniform_ expects to return a [from, to) range, but found from=", low,
              " > to=", high);
  common::over_floating(out.dtype(), "uniform_",
                        [&](auto zero) { run_uniform<decltype(zero)>(c, out, low, high); });
}

template <typename T, bool exponentiates>
struct MakeNormal {
  Real<T> mean, deviation;

  ASSAY_ANYWHERE T operator()(Real<T> v) const {
    Real<T> placed = std::fma(v, deviation, mean);
    return convert<T>(exponentiates ? quick_exp(placed) : placed);
  }
};

template <typename T, bool exponentiates>
void run_normal(const Call& c, const Tensor& out, double mean, double deviation) {
  draw_elements<NormalDraw<Real<T>>, T>(
      c, out,
      MakeNormal<T, exponentiates>{static_cast<Real<T>>(mean), static_cast<Real<T>>(deviation)});
}

void fill_normal(const Call& c, const Tensor& out, double mean, double deviation) {
  base::check(deviation >= 0, "normal expects std >= 0.0, but found std ", deviation);
  if (core::is_complex(out.dtype())) {
    // Each part has half of the variance.
    return fill_normal(c, ops::views::as_real(out), mean, deviation / std::sqrt(2.0));
  }
  common::over_floating(out.dtype(), "normal_kernel_cuda", [&](auto zero) {
    run_normal<decltype(zero), false>(c, out, mean, deviation);
  });
}

template <typename T>
struct MakeBernoulli {
  Real<T> p;
  ASSAY_ANYWHERE T operator()(Real<T> u) const { return convert<T>(Real<T>(u < p ? 1 : 0)); }
};

template <typename T>
void run_bernoulli(const Call& c, const Tensor& out, double p) {
  draw_elements<UniformDraw<Real<T>>, T>(c, out, MakeBernoulli<T>{static_cast<Real<T>>(p)});
}

void fill_bernoulli(const Call& c, const Tensor& out, double p) {
  base::check(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
  common::over_all(out.dtype(), "bernoulli_",
                   [&](auto zero) { run_bernoulli<Stored<decltype(zero)>>(c, out, p); });
}

/// A probability per element. Four elements in a row are drawn by a thread of their own.
template <typename T>
struct BernoulliBody {
  PhiloxDraws draws;
  T* to;
  const std::byte* p;
  DType p_dtype;
  Layout<2> layout;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t thread) const {
    float numbers[4];
    UniformDraw<float>::make(draws.of(thread, 0), numbers);
    for (int k = 0; k < 4 && 4 * thread + k < layout.count; ++k) {
      Offsets<2> at = layout.offsets(4 * thread + k);
      auto chance = load<Real<T>>(p + at.of[1], p_dtype);
      if (!(chance >= 0 && chance <= 1)) {
        report(Fault::other);
        continue;
      }
      T drawn = convert<T>(Real<T>(static_cast<Real<T>>(numbers[k]) <= chance ? 1 : 0));
      *reinterpret_cast<T*>(reinterpret_cast<std::byte*>(to) + at.of[0]) = drawn;
    }
  }
};

template <typename T>
void run_bernoulli(const Call& c, const Tensor& out, const Tensor& p) {
  Queue queue = queue_of(c);
  BernoulliBody<T> body{draw(c, 10), reinterpret_cast<T*>(out.device_address()), p.device_address(),
                        p.dtype(),   Layout<2>::of(out.sizes(), {out, p}),       queue.report};
  for_each(queue, (body.layout.count + 3) / 4, body);
}

void fill_bernoulli(const Call& c, const Tensor& out, Tensor p) {
  check_floating(p, "bernoulli_tensor_cuda_p_");
  // It may be one number on the CPU.
  if (p.device() != c.device()) p = ops::relocate(c.context, p, c.device(), p.dtype());
  if (out.numel() == 0) return;
  common::over_all(out.dtype(), "bernoulli_",
                   [&](auto zero) { run_bernoulli<Stored<decltype(zero)>>(c, out, p); });
}

/// The largest integer of which all smaller ones are exact in T.
template <typename T>
constexpr uint64_t largest() {
  if constexpr (std::is_same_v<T, core::Bool>)
    return 1;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<uint64_t>(std::numeric_limits<T>::max());
  else if constexpr (std::is_same_v<T, core::Half>)
    return uint64_t{1} << 11;
  else if constexpr (std::is_same_v<T, core::BFloat16>)
    return uint64_t{1} << 8;
  else
    return uint64_t{1} << std::numeric_limits<T>::digits;
}

/// A range of 0 stands for all 64 bits.
template <typename T, typename Word>
struct MakeInteger {
  uint64_t range, low;
  ASSAY_ANYWHERE T operator()(Word drawn) const {
    uint64_t chosen = range == 0 ? drawn : drawn % range;
    return convert<T>(static_cast<int64_t>(chosen + low));
  }
};

template <typename T>
void run_integers(const Call& c, const Tensor& out, uint64_t range, int64_t low, bool wide) {
  auto from = static_cast<uint64_t>(low);
  if (wide)
    draw_elements<IntegerDraw<uint64_t>, T>(c, out, MakeInteger<T, uint64_t>{range, from});
  else
    draw_elements<IntegerDraw<uint32_t>, T>(c, out, MakeInteger<T, uint32_t>{range, from});
}

void fill_integers(const Call& c, const Tensor& out, uint64_t range, int64_t low, bool wide) {
  common::over_real(out.dtype(), "random_",
                    [&](auto zero) { run_integers<decltype(zero)>(c, out, range, low, wide); });
}

/// random_ without bounds: all non-negative integers that the type can hold.
void fill_any(const Call& c, const Tensor& out) {
  uint64_t most = 0;
  common::over_real(out.dtype(), "random_", [&](auto zero) { most = largest<decltype(zero)>(); });
  fill_integers(c, out, most + 1, 0, out.dtype() == DType::int64 || out.dtype() == DType::float64);
}

/// From here on PyTorch draws 64 bits for a number, so that no one is drawn much more often (2.7;
/// up to 2.6 it was 2^32).
constexpr uint64_t wide_range = uint64_t{1} << 28;

void fill_between(const Call& c, const Tensor& out, int64_t low, int64_t high) {
  base::check(low < high, "random_ expects 'from' to be less than 'to', but got from=", low,
              " >= to=", high);
  common::over_real(out.dtype(), "random_", [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, core::Bool>) {
      int64_t least = 0;
      if constexpr (std::is_integral_v<T>) least = std::numeric_limits<T>::min();
      auto most = static_cast<int64_t>(largest<T>());
      base::check(low >= least && low <= most, "from is out of bounds for ",
                  core::script_name(out.dtype()));
      base::check(high - 1 <= most, "to - 1 is out of bounds for ", core::script_name(out.dtype()));
    }
  });
  uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  fill_integers(c, out, range, low, range >= wide_range);
}

/// random_(from, None): up to the largest value of the type.
void fill_from(const Call& c, const Tensor& out, int64_t low) {
  uint64_t most = 0;
  common::over_real(out.dtype(), "random_", [&](auto zero) { most = largest<decltype(zero)>(); });
  base::check(low <= static_cast<int64_t>(most), "from is out of bounds for ",
              core::script_name(out.dtype()));
  uint64_t range = most - static_cast<uint64_t>(low) + 1;
  fill_integers(c, out, range, range == 0 ? 0 : low, range == 0 || range >= wide_range);
}

void rand(const Call& c, const Tensor& out) { fill_uniform(c, out, 0, 1); }
void randn(const Call& c, const Tensor& out) { fill_normal(c, out, 0, 1); }
template <ops::ArgName end>
void randint_to(const Call& c, const Tensor& out) {
  fill_between(c, out, 0, c.integer(end));
}
void randint_between(const Call& c, const Tensor& out) {
  fill_between(c, out, c.integer(arg::low), c.integer(arg::high));
}
template <ops::ArgName from, ops::ArgName to>
void uniform(const Call& c, const Tensor& out) {
  fill_uniform(c, out, c.floating(from), c.floating(to));
}
void normal(const Call& c, const Tensor& out) {
  fill_normal(c, out, c.floating(arg::mean), c.floating(arg::std));
}
void bernoulli_number(const Call& c, const Tensor& out) {
  fill_bernoulli(c, out, c.floating(arg::p));
}
void bernoulli_tensor(const Call& c, const Tensor& out) {
  fill_bernoulli(c, out, c.tensor(arg::p));
}
void bernoulli_self(const Call& c, const Tensor& out) {
  fill_bernoulli(c, out, c.tensor(arg::self));
}
void random_any(const Call& c, const Tensor& out) { fill_any(c, out); }
void random_from(const Call& c, const Tensor& out) {
  if (c.is_none(arg::to)) return fill_from(c, out, c.integer(arg::from));
  fill_between(c, out, c.integer(arg::from), c.integer(arg::to));
}

template <typename T>
struct MakeExponential {
  Real<T> rate;
  ASSAY_ANYWHERE T operator()(Real<T> u) const {
    // Never the logarithm 0, and none that a narrow type would round to it.
    constexpr Real<T> least = std::numeric_limits<Real<T>>::epsilon() / 2;
    Real<T> log = u >= Real<T>(1) - least ? -least : quick_log(u);
    return convert<T>(Real<T>(-1) / rate * log);
  }
};

template <typename T>
struct MakeCauchy {
  Real<T> median, scale;
  ASSAY_ANYWHERE T operator()(Real<T> u) const {
    if constexpr (!std::is_same_v<T, double>) {  // The quick tangent has poles
                                                 // near the ends.
      constexpr float margin = std::numeric_limits<float>::epsilon();
      u = u > 1 - margin ? 1 - margin : u < margin ? margin : u;
    }
    constexpr auto pi = static_cast<Real<T>>(3.14159265358979323846);
    return convert<T>(median + scale * quick_tan(pi * (u - Real<T>(0.5))));
  }
};

template <typename T>
struct MakeGeometric {
  Real<T> p;
  ASSAY_ANYWHERE T operator()(Real<T> u) const {
    return convert<T>(std::ceil(quick_log(u) / quick_log(Real<T>(1) - p)));
  }
};

template <typename T>
void run_exponential(const Call& c, const Tensor& out) {
  draw_elements<UniformDraw<Real<T>>, T>(
      c, out, MakeExponential<T>{static_cast<Real<T>>(c.floating(arg::lambd))});
}
void exponential(const Call& c, const Tensor& out) {
  check_floating(out, "exponential_cuda");
  common::over_floating(out.dtype(), "exponential_cuda",
                        [&](auto zero) { run_exponential<decltype(zero)>(c, out); });
}

template <typename T>
void run_cauchy(const Call& c, const Tensor& out) {
  draw_elements<UniformDraw<Real<T>>, T>(
      c, out,
      MakeCauchy<T>{static_cast<Real<T>>(c.floating(arg::median)),
                    static_cast<Real<T>>(c.floating(arg::sigma))});
}
void cauchy(const Call& c, const Tensor& out) {
  common::over_floating(out.dtype(), "cauchy_cuda",
                        [&](auto zero) { run_cauchy<decltype(zero)>(c, out); });
}

template <typename T>
void run_geometric(const Call& c, const Tensor& out) {
  draw_elements<UniformDraw<Real<T>>, T>(
      c, out, MakeGeometric<T>{static_cast<Real<T>>(c.floating(arg::p))});
}
/// Of integers, too.
void geometric(const Call& c, const Tensor& out) {
  double p = c.floating(arg::p);
  base::check(p > 0 && p < 1, "geometric_ expects p to be in (0, 1), but got p=", p);
  if (out.dtype() == DType::boolean) common::not_implemented_for(out.dtype(), "geometric_cuda");
  common::over_real(out.dtype(), "geometric_cuda",
                    [&](auto zero) { run_geometric<decltype(zero)>(c, out); });
}

void log_normal(const Call& c, const Tensor& out) {
  check_floating(out, "log_normal_cuda");
  double mean = c.floating(arg::mean), deviation = c.floating(arg::std);
  base::check(deviation > 0, "log_normal_ expects std > 0.0, but found std=", deviation);
  common::over_floating(out.dtype(), "log_normal_cuda", [&](auto zero) {
    run_normal<decltype(zero), true>(c, out, mean, deviation);
  });
}

/// Reports deviations below 0.
struct CheckDeviation {
  const std::byte* data;
  DType dtype;
  Layout<1> layout;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    if (load<double>(data + layout.offsets(i).of[0], dtype) < 0) report(Fault::other);
  }
};

void check_deviations(const Call& c, const Tensor& deviations) {
  if (!core::is_floating(deviations.dtype())) return;
  Queue queue = queue_of(c);
  auto layout = Layout<1>::of(deviations.sizes(), {deviations});
  for_each(queue, layout.count,
           CheckDeviation{deviations.device_address(), deviations.dtype(), layout, queue.report});
}

/// Elements of a tensor, or one number for all.
struct Parameter {
  const std::byte* data = nullptr;
  DType dtype = DType::float32;
  double number = 0;

  Parameter(const Call& c, ops::ArgName name) {
    if (c.value(name).is_tensor()) {
      data = c.tensor(name).device_address();
      dtype = c.tensor(name).dtype();
    } else {
      number = c.floating(name);
    }
  }
  template <typename R>
  ASSAY_ANYWHERE R at(int64_t offset) const {
    return data == nullptr ? static_cast<R>(number) : load<R>(data + offset, dtype);
  }
};

/// Numbers of mean 0 scaled by deviations, each step rounded, and moved to means.
template <typename T>
struct PlaceBody {
  std::byte* to;
  Parameter mean, deviation;
  bool scales;
  Layout<3> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    T& element = *reinterpret_cast<T*>(to + at.of[0]);
    if (scales) {
      auto factor = deviation.at<Real<T>>(at.of[2]);
      element = convert<T>(common::rounded_product(convert<Real<T>>(element), factor));
    }
    element = convert<T>(convert<Real<T>>(element) + mean.at<Real<T>>(at.of[1]));
  }
};

template <typename T>
void run_place(const Call& c, const Tensor& out, bool scales) {
  auto or_out = [&](ops::ArgName name) { return c.value(name).is_tensor() ? c.tensor(name) : out; };
  auto layout = Layout<3>::of(out.sizes(), {out, or_out(arg::mean), or_out(arg::std)});
  for_each(queue_of(c), layout.count,
           PlaceBody<T>{out.device_address(), Parameter(c, arg::mean), Parameter(c, arg::std),
                        scales, layout});
}

/// Normal numbers around the means, scaled by the deviations, which both may be tensors.
template <bool deviation_is_tensor>
void normal_around(Call& c) {
  Tensor out = c.out();
  fill_normal(c, out, 0, deviation_is_tensor ? 1 : c.floating(arg::std));
  if (deviation_is_tensor) check_deviations(c, c.tensor(arg::std));
  common::over_floating(out.dtype(), "normal", [&](auto zero) {
    if (out.numel() > 0) run_place<decltype(zero)>(c, out, deviation_is_tensor);
  });
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
    {"aten::uniform_", in_place<uniform<arg::from, arg::to>>},
    {"aten::uniform", fill_result<uniform<arg::from, arg::to>>},
    {"aten::_no_grad_uniform_", in_place<uniform<arg::a, arg::b>>},
    {"aten::normal_", in_place<normal>},
    {"aten::_no_grad_normal_", in_place<normal>},
    {"aten::normal_functional", fill_result<normal>},
    {"aten::normal.float_float", fill_result<normal>},
    {"aten::normal.float_float_out", into_out<normal>},
    {"aten::normal.Tensor_float", normal_around<false>},
    {"aten::normal.float_Tensor", normal_around<true>},
    {"aten::normal.Tensor_Tensor", normal_around<true>},
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
    {"aten::exponential_", in_place<exponential>},
    {"aten::exponential", fill_result<exponential>},
    {"aten::geometric_", in_place<geometric>},
    {"aten::geometric", fill_result<geometric>},
    {"aten::cauchy_", in_place<cauchy>},
    {"aten::cauchy", fill_result<cauchy>},
    {"aten::log_normal_", in_place<log_normal>},
    {"aten::log_normal", fill_result<log_normal>},
};

}  // namespace

std::span<const ops::Kernel> random_kernels() { return random_table; }

}  // namespace assay::kernels::cuda
