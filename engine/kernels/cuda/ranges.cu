// Tensors whose elements are functions of their own positions.

#include <cmath>

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/filling.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/rounding.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Scalar;
using core::Tensor;
using ops::Call;

/// out[i] = f(i), in row-major order.
template <typename T, typename F>
struct VectorBody {
  std::byte* out;
  Layout<1> layout;
  F f;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    *reinterpret_cast<T*>(out + layout.offsets(i).of[0]) = convert<T>(f(i));
  }
};

template <typename T, typename F>
void fill_vector(const Call& c, const Tensor& out, F f) {
  auto layout = Layout<1>::of(out.sizes(), {out}, true);
  for_each(queue_of(c), layout.count, VectorBody<T, F>{out.device_address(), layout, f});
}

struct CountWhole {
  uint64_t first, step;
  ASSAY_ANYWHERE int64_t operator()(int64_t i) const {
    return static_cast<int64_t>(first + static_cast<uint64_t>(i) * step);
  }
};
struct CountReal {
  double first, step;
  ASSAY_ANYWHERE double operator()(int64_t i) const {
    return first + product(static_cast<double>(i), step);
  }
};

/// arange and range: start + i * step, in int64 or double.
void fill_range(const Call& c, const Tensor& out, const Scalar& start, const Scalar& step) {
  CountReal real{start.to_double(), step.to_double()};
  if (core::is_floating(out.dtype())) {
    return common::over_floating(out.dtype(), "arange_cuda",
                                 [&](auto zero) { fill_vector<decltype(zero)>(c, out, real); });
  }
  CountWhole whole{static_cast<uint64_t>(start.to_int()), static_cast<uint64_t>(step.to_int())};
  common::over_integral(out.dtype(), "arange_cuda",
                        [&](auto zero) { fill_vector<decltype(zero)>(c, out, whole); });
}
void range_to_end(const Call& c, const Tensor& out) { fill_range(c, out, 0, 1); }
void range_from_start(const Call& c, const Tensor& out) {
  fill_range(c, out, c.scalar(arg::start), 1);
}
void range_by_step(const Call& c, const Tensor& out) {
  fill_range(c, out, c.scalar(arg::start), c.scalar(arg::step));
}

/// What a linspace is counted in, as PyTorch counts.
template <typename T>
using Step =
    std::conditional_t<is_half_type<T>, float,
                       std::conditional_t<is_float_type<T> || is_complex_type<T>, T, double>>;

template <typename S>
ASSAY_ANYWHERE S times(S step, int64_t i) {
  auto n = static_cast<double>(i);
  if constexpr (is_complex_type<S>) {
    using Part = typename S::value_type;
    return S(product(step.real(), static_cast<Part>(n)),
             product(step.imag(), static_cast<Part>(n)));
  } else {
    return product(step, static_cast<S>(n));
  }
}

/// Counted from the nearer end, so that both ends are exact.
template <typename S>
struct EvenSteps {
  int64_t steps;
  S start, end, step;

  ASSAY_ANYWHERE S at(int64_t i) const {
    if (steps == 1) return start;
    return i < steps / 2 ? start + times(step, i) : end - times(step, steps - i - 1);
  }
};

template <typename T>
EvenSteps<Step<Stored<T>>> even_steps(const Call& c, int64_t count) {
  using E = Stored<T>;
  using S = Step<E>;
  auto number = [&](ops::ArgName name) {
    T given = c.scalar(name).to<T>();
    if constexpr (is_complex_type<E>)
      return S(given.real(), given.imag());
    else
      return convert<S>(given);
  };
  EvenSteps<S> even{count, number(arg::start), number(arg::end), S{}};
  if (count > 1) {
    S all = even.end - even.start;
    auto gaps = static_cast<double>(count - 1);
    if constexpr (is_complex_type<S>)
      even.step = all / static_cast<typename S::value_type>(gaps);
    else
      even.step = all / static_cast<S>(gaps);
  }
  return even;
}

/// As PyTorch's CPU kernel: whole groups of 32 bytes are counted from the
/// group's first element, already rounded to T; it shows in the last bit.
template <typename T>
struct Linspace {
  EvenSteps<Step<T>> even;

  ASSAY_ANYWHERE Step<T> operator()(int64_t i) const {
    int64_t group = 32 / static_cast<int64_t>(sizeof(T));
    if (i >= even.steps / group * group) return even.at(i);
    int64_t first = i / group * group;
    auto base = convert<Step<T>>(convert<T>(even.at(first)));
    return base + times(even.step, i - first);
  }
};

template <typename T>
void run_linspace(const Call& c, const Tensor& out) {
  using E = Stored<T>;
  fill_vector<E>(c, out, Linspace<E>{even_steps<T>(c, out.numel())});
}
void linspace(const Call& c, const Tensor& out) {
  common::over_all(out.dtype(), "linspace",
                   [&](auto zero) { run_linspace<decltype(zero)>(c, out); });
}

/// e^z as C's cexp has it where z is not finite.
ASSAY_ANYWHERE inline Complex<double> exponential(double real, double imaginary) {
  using std::cos;
  using std::exp;
  using std::sin;
  double size = exp(real), nan = imaginary - imaginary;  // NaN, or 0 where it is finite.
  if (nan == nan) {
    if (imaginary == 0) return {size, imaginary};
    return {size * cos(imaginary), size * sin(imaginary)};
  }
  if (size == 0) return {0, 0};
  return {size > 1.7976931348623157e308 ? size : nan, nan};
}

/// Powers in double: those in float may be 4 units in the last place off. Powers of complex numbers
/// are e^(exponent log base), rounded to T on the way.
template <typename T>
struct Logspace {
  EvenSteps<Step<T>> even;
  double base;

  ASSAY_ANYWHERE auto operator()(int64_t i) const {
    auto exponent = even.at(i);
    if constexpr (is_complex_type<T>) {
      using Part = typename T::value_type;
      using std::log;
      auto rounded = static_cast<double>(static_cast<Part>(base));
      Part real = static_cast<Part>(log(rounded < 0 ? -rounded : rounded));
      Part turned = static_cast<Part>(base < 0 ? 3.141592653589793 : 0);
      Part a = exponent.real(), b = exponent.imag();
      return exponential(product(a, real) - product(b, turned),
                         product(a, turned) + product(b, real));
    } else {
      using std::pow;
      double rounded_base = static_cast<double>(static_cast<decltype(exponent)>(base));
      double power = pow(rounded_base, static_cast<double>(exponent));
      if constexpr (!std::is_integral_v<T>) return power;
      // What is just below a whole number would be truncated to the one before.
      double whole = std::nearbyint(power);
      return std::fabs(power - whole) <= 1e-15 * std::fabs(whole) ? whole : power;
    }
  }
};

template <typename T>
void run_logspace(const Call& c, const Tensor& out) {
  using E = Stored<T>;
  fill_vector<E>(c, out, Logspace<E>{even_steps<T>(c, out.numel()), c.floating(arg::base)});
}
void logspace(const Call& c, const Tensor& out) {
  common::over_all(out.dtype(), "logspace",
                   [&](auto zero) { run_logspace<decltype(zero)>(c, out); });
}

/// The rows and columns on the kept side of a diagonal. How many come before a
/// row is a sum of numbers between 0 and the number of columns.
struct Triangle {
  int64_t rows, columns, offset;
  bool lower;

  /// The sum of the numbers from 1 to n, of which those above `columns` count
  /// as much as that.
  ASSAY_ANYWHERE uint64_t clamped_sum(int64_t n) const {
    if (n <= 0) return 0;
    int64_t small = n < columns ? n : columns;
    auto a = static_cast<uint64_t>(small), b = a + 1;
    uint64_t sum = a % 2 == 0 ? a / 2 * b : a * (b / 2);
    return sum + static_cast<uint64_t>(n - small) * static_cast<uint64_t>(columns);
  }
  ASSAY_ANYWHERE int64_t before(int64_t row) const {
    uint64_t count;
    if (lower)
      count = clamped_sum(row + offset) - clamped_sum(offset);
    else
      count = static_cast<uint64_t>(row) * static_cast<uint64_t>(columns) -
              (clamped_sum(row + offset - 1) - clamped_sum(offset - 1));
    return static_cast<int64_t>(count);
  }
  ASSAY_ANYWHERE int64_t first_of(int64_t row) const {
    int64_t first = row + offset;
    return lower || first < 0 ? 0 : first < columns ? first : columns;
  }
};

template <typename T>
struct TriangleIndices {
  Triangle triangle;
  T* out;
  int64_t count;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t low = 0,
            high = triangle.rows;  // The last row with no more than i before it.
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (triangle.before(middle) <= i ? low : high) = middle;
    }
    out[i] = static_cast<T>(low);
    out[count + i] = static_cast<T>(triangle.first_of(low) + i - triangle.before(low));
  }
};

template <typename T>
void run_triangle(const Call& c, const Tensor& out, bool lower) {
  Triangle triangle{c.integer(arg::row), c.integer(arg::col), c.integer(arg::offset), lower};
  for_each(queue_of(c), out.size(1),
           TriangleIndices<T>{triangle, out.device_data<T>(), out.size(1)});
}
template <bool lower>
void triangle_indices(const Call& c, const Tensor& out) {
  common::over_integral(out.dtype(), "tri_indices",
                        [&](auto zero) { run_triangle<decltype(zero)>(c, out, lower); });
}

enum class Shape { hann, hamming, blackman, bartlett, kaiser };

ASSAY_ANYWHERE inline double bessel_i0(double x) {
  double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-17; ++k) {
    term *= (x / 2 / k) * (x / 2 / k);
    sum += term;
  }
  return sum;
}

/// A window function of the angle 2 pi i / last, where a periodic window leaves
/// out its last point.
struct Window {
  Shape shape;
  int64_t count;
  double last, alpha, beta;

  ASSAY_ANYWHERE double operator()(int64_t i) const {
    using std::abs;
    using std::cos;
    using std::sqrt;
    if (count == 1) return 1;
    auto index = static_cast<double>(i);
    double angle = 2 * 3.141592653589793 * index / last;
    switch (shape) {
      case Shape::hann:
        return 0.5 - product(0.5, cos(angle));
      case Shape::hamming:
        return alpha - product(beta, cos(angle));
      case Shape::blackman:
        return 0.42 - product(0.5, cos(angle)) + product(0.08, cos(2 * angle));
      case Shape::bartlett:
        return 1 - abs(2 * index / last - 1);
      default:
        double x = 2 * index / last - 1;
        return bessel_i0(product(beta, sqrt(1 - product(x, x)))) / bessel_i0(beta);
    }
  }
};

template <Shape shape>
void window(const Call& c, const Tensor& out) {
  bool periodic = c.has(arg::periodic) ? c.boolean(arg::periodic) : true;
  int64_t count = out.numel();
  auto argument_or = [&](ops::ArgName name, double otherwise) {
    return c.has(name) ? c.floating(name) : otherwise;
  };
  Window w{shape, count, static_cast<double>(periodic ? count : count - 1),
           argument_or(arg::alpha, 0.54),
           argument_or(arg::beta, shape == Shape::kaiser ? 12 : 0.46)};
  common::over_floating(out.dtype(), "window",
                        [&](auto zero) { fill_vector<decltype(zero)>(c, out, w); });
}

constexpr ops::Kernel range_table[] = {
    {"aten::arange", fill_result<range_to_end>},
    {"aten::arange.start", fill_result<range_from_start>},
    {"aten::arange.start_step", fill_result<range_by_step>},
    {"aten::arange.out", into_out<range_to_end>},
    {"aten::arange.start_out", into_out<range_by_step>},
    {"aten::range", fill_result<range_from_start>},
    {"aten::range.step", fill_result<range_by_step>},
    {"aten::range.out", into_out<range_by_step>},
    {"aten::range.out_", into_out<range_from_start>},
    {"aten::_dim_arange", fill_result<range_to_end>},
    {"aten::linspace", fill_result<linspace>},
    {"aten::linspace.out", into_out<linspace>},
    {"aten::logspace", fill_result<logspace>},
    {"aten::logspace.out", into_out<logspace>},
    {"aten::tril_indices", fill_result<triangle_indices<true>>},
    {"aten::triu_indices", fill_result<triangle_indices<false>>},
    {"aten::hann_window", fill_result<window<Shape::hann>>},
    {"aten::hann_window.periodic", fill_result<window<Shape::hann>>},
    {"aten::hamming_window", fill_result<window<Shape::hamming>>},
    {"aten::hamming_window.periodic", fill_result<window<Shape::hamming>>},
    {"aten::hamming_window.periodic_alpha", fill_result<window<Shape::hamming>>},
    {"aten::hamming_window.periodic_alpha_beta", fill_result<window<Shape::hamming>>},
    {"aten::blackman_window", fill_result<window<Shape::blackman>>},
    {"aten::blackman_window.periodic", fill_result<window<Shape::blackman>>},
    {"aten::bartlett_window", fill_result<window<Shape::bartlett>>},
    {"aten::bartlett_window.periodic", fill_result<window<Shape::bartlett>>},
    {"aten::kaiser_window", fill_result<window<Shape::kaiser>>},
    {"aten::kaiser_window.periodic", fill_result<window<Shape::kaiser>>},
    {"aten::kaiser_window.beta", fill_result<window<Shape::kaiser>>},
};

}  // namespace

std::span<const ops::Kernel> range_kernels() { return range_table; }

}  // namespace assay::kernels::cuda
