#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
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
using common::fill_elements;
using core::DType;
using core::Scalar;
using core::Tensor;
using ops::Call;

void nothing(const Call&, const Tensor&) {}
void zeros(const Call&, const Tensor& out) { fill_elements(out, 0); }
void ones(const Call&, const Tensor& out) { fill_elements(out, 1); }
template <ops::ArgName value>
void number(const Call& c, const Tensor& out) {
  fill_elements(out, c.scalar(value));
}
void tensor_value(const Call& c, const Tensor& out) {
  Tensor value = c.tensor(arg::value);
  base::check(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ",
              value.dim(), " dimensions.");
  // A view of the target may be the value.
  Tensor apart = Tensor::empty({}, value.dtype());
  common::copy_elements(apart, value);
  common::copy_elements(out, apart);
}

/// out[i] = f(i) as the element type, in row-major order.
template <typename T, typename F>
void fill_vector(const Tensor& out, F f) {
  T* to = out.device_data<T>();
  if (out.is_contiguous()) {
    constexpr int64_t at_once = 1 << 14;
    for (int64_t from = 0; from < out.numel(); from += at_once) {
      base::check_deadline();
      int64_t end = std::min(from + at_once, out.numel());
      for (int64_t i = from; i < end; ++i) to[i] = f(i);
    }
    return;
  }
  base::DeadlineTicker deadline;
  int64_t i = 0;
  for (int64_t offset : common::element_offsets(out.sizes(), out.strides())) {
    deadline.tick();
    to[offset] = f(i++);
  }
}

/// arange and range: start + i * step, in int64 or double.
void fill_range(const Tensor& out, const Scalar& start, const Scalar& step) {
  auto over = [&](auto body) {
    if (core::is_floating(out.dtype()))
      return common::over_floating(out.dtype(), "arange_cpu", body);
    common::over_integral(out.dtype(), "arange_cpu", body);
  };
  over([&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      auto first = static_cast<uint64_t>(start.to_int()), by = static_cast<uint64_t>(step.to_int());
      fill_vector<T>(out, [&](int64_t i) {
        return cast<T>(static_cast<int64_t>(first + static_cast<uint64_t>(i) * by));
      });
    } else {
      double first = start.to_double(), by = step.to_double();
      fill_vector<T>(out, [&](int64_t i) { return cast<T>(first + static_cast<double>(i) * by); });
    }
  });
}
void range_to_end(const Call&, const Tensor& out) { fill_range(out, 0, 1); }
void range_from_start(const Call& c, const Tensor& out) {
  fill_range(out, c.scalar(arg::start), 1);
}
void range_by_step(const Call& c, const Tensor& out) {
  fill_range(out, c.scalar(arg::start), c.scalar(arg::step));
}

/// The numbers from which a linspace is counted, in the type PyTorch counts in.
template <typename T>
struct EvenSteps {
  using Step = std::conditional_t<
      common::is_integer_type<T>, double,
      std::conditional_t<common::is_floating_type<T> && !std::is_floating_point_v<T>, float, T>>;

  EvenSteps(const Call& c, int64_t count) : steps(count) {
    start = static_cast<Step>(c.scalar(arg::start).to<T>());
    end = static_cast<Step>(c.scalar(arg::end).to<T>());
    if (steps > 1) step = (end - start) / times(steps - 1);
  }
  static Step times(int64_t i) { return static_cast<Step>(static_cast<double>(i)); }
  /// Counted from the nearer end, so that both ends are exact.
  Step at(int64_t i) const {
    if (steps == 1) return start;
    return i < steps / 2 ? start + step * times(i) : end - step * times(steps - i - 1);
  }

  int64_t steps;
  Step start, end, step{};
};
void linspace(const Call& c, const Tensor& out) {
  common::over_all(out.dtype(), "linspace", [&](auto zero) {
    using T = decltype(zero);
    using Even = EvenSteps<T>;
    Even even(c, out.numel());
    // PyTorch counts whole groups of 32 bytes from the group's first element, already rounded to
    // T; it shows in the last bit.
    int64_t group = 32 / static_cast<int64_t>(sizeof(T));
    fill_vector<T>(out, [&](int64_t i) {
      if (i >= even.steps / group * group) return cast<T>(even.at(i));
      int64_t first = i / group * group;
      auto base = static_cast<typename Even::Step>(cast<T>(even.at(first)));
      return cast<T>(base + even.step * Even::times(i - first));
    });
  });
}
void logspace(const Call& c, const Tensor& out) {
  double base = c.floating(arg::base);
  common::over_all(out.dtype(), "logspace", [&](auto zero) {
    using T = decltype(zero);
    EvenSteps<T> even(c, out.numel());
    fill_vector<T>(out, [&](int64_t i) {
      auto exponent = even.at(i);
      return cast<T>(std::pow(static_cast<decltype(exponent)>(base), exponent));
    });
  });
}

void eye(const Call&, const Tensor& out) {
  fill_elements(out, 0);
  fill_elements(ops::views::diagonal(out, 0, 0, 1), 1);
}

/// Row and column numbers of the indices on the kept side of a diagonal.
template <bool lower>
void triangle_indices(const Call& c, const Tensor& out) {
  int64_t rows = c.integer(arg::row), columns = c.integer(arg::col),
          offset = c.integer(arg::offset), n = out.size(1);
  common::over_integral(out.dtype(), "tri_indices", [&](auto zero) {
    using T = decltype(zero);
    T* to = out.device_data<T>();
    for (int64_t r = 0; r < rows; ++r) {
      int64_t first = lower ? 0 : std::clamp<int64_t>(r + offset, 0, columns);
      int64_t last = lower ? std::clamp<int64_t>(r + offset + 1, 0, columns) : columns;
      for (int64_t k = first; k < last; ++k, ++to) {
        to[0] = static_cast<T>(r);
        to[n] = static_cast<T>(k);
      }
    }
  });
}

/// Writes a nested list's numbers in order.
template <typename T>
T* write_numbers(const core::Value& v, T* to) {
  if (!v.is_list()) {
    *to = v.to_scalar().to<T>();
    return to + 1;
  }
  for (const core::Value& item : v.list().items) to = write_numbers(item, to);
  return to;
}
void from_list(const Call& c, const Tensor& out) {
  common::over_all(out.dtype(), "tensor",
                   [&](auto zero) { write_numbers(c.first(), out.device_data<decltype(zero)>()); });
}
template <Fill fill>
void with_grad(const Call& c, const Tensor& out) {
  fill(c, out);
  out.impl()->requires_grad = c.boolean(arg::requires_grad);
}

void shape_as_tensor(const Call& c, const Tensor& out) {
  const auto& sizes = c.tensor(arg::self).sizes();
  std::copy(sizes.begin(), sizes.end(), out.device_data<int64_t>());
}

void complex_from_parts(const Call& c, const Tensor& out) {
  auto parts = [&](auto real) {
    using Real = decltype(real);
    auto join = [](Real r, Real i) { return std::complex<Real>(r, i); };
    common::map<std::complex<Real>, Real, Real>(join, out, c.tensor(arg::real),
                                                c.tensor(arg::imag));
  };
  if (out.dtype() == DType::complex64) {
    parts(float{});
  } else {
    parts(double{});
  }
}

double bessel_i0(double x) {
  double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-17; ++k) {
    term *= (x / 2 / k) * (x / 2 / k);
    sum += term;
  }
  return sum;
}

/// A window function of the angle 2 pi i / last, where a periodic window leaves out its last point.
template <double (*shape)(const Call&, double index, double last)>
void window(const Call& c, const Tensor& out) {
  bool periodic = c.has(arg::periodic) ? c.boolean(arg::periodic) : true;
  int64_t count = out.numel();
  double last = static_cast<double>(periodic ? count : count - 1);
  common::over_floating(out.dtype(), "window", [&](auto zero) {
    using T = decltype(zero);
    fill_vector<T>(out, [&](int64_t i) {
      return cast<T>(count == 1 ? 1.0 : shape(c, static_cast<double>(i), last));
    });
  });
}
double angle(double index, double last) { return 2 * std::numbers::pi * index / last; }
double argument_or(const Call& c, ops::ArgName name, double otherwise) {
  return c.has(name) ? c.floating(name) : otherwise;
}
double hann(const Call&, double index, double last) {
  return 0.5 - 0.5 * std::cos(angle(index, last));
}
double hamming(const Call& c, double index, double last) {
  return argument_or(c, arg::alpha, 0.54) -
         argument_or(c, arg::beta, 0.46) * std::cos(angle(index, last));
}
double blackman(const Call&, double index, double last) {
  double a = angle(index, last);
  return 0.42 - 0.5 * std::cos(a) + 0.08 * std::cos(2 * a);
}
double bartlett(const Call&, double index, double last) {
  return 1 - std::abs(2 * index / last - 1);
}
double kaiser(const Call& c, double index, double last) {
  double beta = argument_or(c, arg::beta, 12), x = 2 * index / last - 1;
  return bessel_i0(beta * std::sqrt(1 - x * x)) / bessel_i0(beta);
}

/// The powers 0 to N - 1 of each element, as rows.
void powers(Call& c) {
  Tensor x = c.tensor(arg::x), out = c.out();
  auto each = static_cast<size_t>(out.sizes().back());
  over_wide(out.dtype(), [&]<typename W>(W) {
    auto from = dense<W>(x);
    Dense<W> rows(out.sizes());
    for (size_t i = 0; i < rows.values.size(); ++i) {
      rows.values[i] =
          i % each == 0 ? W(1) : multiply_add(W{}, rows.values[i - 1], from.values[i / each]);
    }
    store(rows, out);
  });
}

constexpr ops::Kernel creation_table[] = {
    {"aten::fill_.Scalar", in_place<number<arg::value>>},
    {"aten::fill_.Tensor", in_place<tensor_value>},
    {"aten::fill.Scalar", fill_result<number<arg::value>>},
    {"aten::fill.Tensor", fill_result<tensor_value>},
    {"aten::_no_grad_fill_", in_place<number<arg::val>>},
    {"aten::_no_grad_zero_", in_place<zeros>},
    {"aten::zero_", in_place<zeros>},
    {"aten::zero", fill_result<zeros>},
    {"aten::empty.memory_format", fill_result<nothing>},
    {"aten::empty.out", into_out<nothing>},
    {"aten::empty_strided", fill_result<nothing>},
    {"aten::empty_like", fill_result<nothing>},
    {"aten::new_empty", fill_result<nothing>},
    {"aten::new_empty_strided", fill_result<nothing>},
    {"aten::linalg_vander", powers},
    {"aten::zeros", fill_result<zeros>},
    {"aten::zeros.out", into_out<zeros>},
    {"aten::zeros_like", fill_result<zeros>},
    {"aten::new_zeros", fill_result<zeros>},
    {"aten::ones", fill_result<ones>},
    {"aten::ones.out", into_out<ones>},
    {"aten::ones_like", fill_result<ones>},
    {"aten::new_ones", fill_result<ones>},
    {"aten::full", fill_result<number<arg::fill_value>>},
    {"aten::full.out", into_out<number<arg::fill_value>>},
    {"aten::full_like", fill_result<number<arg::fill_value>>},
    {"aten::new_full", fill_result<number<arg::fill_value>>},
    {"aten::scalar_tensor", fill_result<number<arg::s>>},
    {"aten::tensor.float", fill_result<with_grad<number<arg::t>>>},
    {"aten::tensor.int", fill_result<with_grad<number<arg::t>>>},
    {"aten::tensor.bool", fill_result<with_grad<number<arg::t>>>},
    {"aten::tensor.complex", fill_result<with_grad<number<arg::t>>>},
    {"aten::tensor", fill_result<with_grad<from_list>>},
    {"aten::as_tensor.float", fill_result<number<arg::t>>},
    {"aten::as_tensor.int", fill_result<number<arg::t>>},
    {"aten::as_tensor.bool", fill_result<number<arg::t>>},
    {"aten::as_tensor.complex", fill_result<number<arg::t>>},
    {"aten::as_tensor.list", fill_result<from_list>},
    {"aten::_list_to_tensor", fill_result<from_list>},
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
    {"aten::eye", fill_result<eye>},
    {"aten::eye.m", fill_result<eye>},
    {"aten::eye.out", into_out<eye>},
    {"aten::eye.m_out", into_out<eye>},
    {"aten::tril_indices", fill_result<triangle_indices<true>>},
    {"aten::triu_indices", fill_result<triangle_indices<false>>},
    {"aten::_shape_as_tensor", fill_result<shape_as_tensor>},
    {"aten::complex", fill_result<complex_from_parts>},
    {"aten::hann_window", fill_result<window<hann>>},
    {"aten::hann_window.periodic", fill_result<window<hann>>},
    {"aten::hamming_window", fill_result<window<hamming>>},
    {"aten::hamming_window.periodic", fill_result<window<hamming>>},
    {"aten::hamming_window.periodic_alpha", fill_result<window<hamming>>},
    {"aten::hamming_window.periodic_alpha_beta", fill_result<window<hamming>>},
    {"aten::blackman_window", fill_result<window<blackman>>},
    {"aten::blackman_window.periodic", fill_result<window<blackman>>},
    {"aten::bartlett_window", fill_result<window<bartlett>>},
    {"aten::bartlett_window.periodic", fill_result<window<bartlett>>},
    {"aten::kaiser_window", fill_result<window<kaiser>>},
    {"aten::kaiser_window.periodic", fill_result<window<kaiser>>},
    {"aten::kaiser_window.beta", fill_result<window<kaiser>>},
};

}  // namespace

std::span<const ops::Kernel> creation_kernels() { return creation_table; }

}  // namespace assay::kernels::reference
