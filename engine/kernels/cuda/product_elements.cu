// Products that are no work for a library: of vectors with each other, of integers, of few
// elements each.

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/product_elements.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;
namespace views = ops::views;

using core::Dims;
using core::Tensor;
using ops::Call;

/// As a BLAS multiplies: operators of complex numbers would recover infinities from NaN.
template <typename T>
ASSAY_ANYWHERE T times(T a, T b) {
  if constexpr (is_complex_type<T>) {
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

template <typename T>
ASSAY_ANYWHERE T plus(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}

template <typename T>
ASSAY_ANYWHERE T minus(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  } else {
    return a - b;
  }
}

/// A Python number in all kinds that are computed in.
struct Factor {
  int64_t whole = 0;
  double real = 0, imaginary = 0;

  Factor() = default;
  explicit Factor(const core::Scalar& number)
      : whole(number.to<int64_t>()),
        real(number.to_double()),
        imaginary(number.to_complex().imag()) {}

  template <typename T>
  ASSAY_ANYWHERE T as() const {
    if constexpr (is_complex_type<T>) {
      using Part = typename T::value_type;
      return T(static_cast<Part>(real), static_cast<Part>(imaginary));
    } else if constexpr (std::is_same_v<T, int64_t>) {
      return whole;
    } else {
      return static_cast<T>(real);
    }
  }
};

struct Times {
  template <typename T>
  ASSAY_ANYWHERE T operator()(T a, T b) const {
    return times(a, b);
  }
};

struct Scaled {
  Factor alpha;

  template <typename T>
  ASSAY_ANYWHERE T operator()(T a) const {
    return times(alpha.as<T>(), a);
  }
};

/// beta a + alpha b
struct Blend {
  Factor beta, alpha;

  template <typename T>
  ASSAY_ANYWHERE T operator()(T a, T b) const {
    return plus(times(beta.as<T>(), a), times(alpha.as<T>(), b));
  }
};

struct ScaledProduct {
  Factor alpha;

  template <typename T>
  ASSAY_ANYWHERE T operator()(T a, T b) const {
    return times(alpha.as<T>(), times(a, b));
  }
};

struct BlendedProduct {
  Factor beta, alpha;

  template <typename T>
  ASSAY_ANYWHERE T operator()(T self, T a, T b) const {
    return plus(times(beta.as<T>(), self), times(alpha.as<T>(), times(a, b)));
  }
};

// Vectors

/// A vector or the row of a matrix, whose elements are `step` elements apart.
template <typename T>
struct Line {
  const T* data;
  int64_t step;

  explicit Line(const Tensor& t)
      : data(reinterpret_cast<const T*>(t.device_address())), step(t.strides().back()) {}
  ASSAY_ANYWHERE Computed<T> operator[](int64_t i) const {
    return convert<Computed<T>>(data[i * step]);
  }
};

template <typename T>
struct InnerProduct {
  Line<T> a, b;
  bool conjugates;
  T* out;

  using Acc = Accumulated<T>;

  ASSAY_ANYWHERE Acc start() const { return Acc(0); }
  ASSAY_ANYWHERE Acc load(int64_t, int64_t i) const {
    Acc left = a[i];
    if constexpr (is_complex_type<Acc>) {
      if (conjugates) left = Acc(left.real(), -left.imag());
    }
    return times<Acc>(left, b[i]);
  }
  ASSAY_ANYWHERE Acc join(Acc x, Acc y) const { return plus(x, y); }
  ASSAY_ANYWHERE void finish(int64_t, Acc total) const { *out = convert<T>(total); }
};

template <typename T>
void run_inner_product(const Call& c, const Tensor& a, const Tensor& b, bool conjugates,
                       const Tensor& out) {
  InnerProduct<T> body{Line<T>(a), Line<T>(b), conjugates,
                       reinterpret_cast<T*>(out.device_address())};
  reduce(c, queue_of(c), 1, a.size(0), body);
}

void dot(Call& c) { inner_product(c, c.tensor(arg::self), c.tensor(arg::tensor), false, c.out()); }
void vdot(Call& c) { inner_product(c, c.tensor(arg::self), c.tensor(arg::other), true, c.out()); }

/// The type to compute in: 16-bit types would not hold large operands of other types, and of sums
/// little may be left.
core::DType wide(core::DType dtype, bool adds) {
  bool half = dtype == core::DType::float16 || dtype == core::DType::bfloat16;
  if (adds && core::is_floating(dtype)) return core::DType::float64;
  return half ? core::DType::float32 : dtype;
}

void outer(Call& c) {
  std::array<Tensor, 2> in{views::unsqueeze(c.tensor(arg::self), 1), c.tensor(arg::vec2)};
  Gpu::compute_over<common::all_kinds, 2>(c, c.out(), wide(c.out().dtype(), false), in, Times{});
}

void addr(Call& c) {
  Tensor a = views::unsqueeze(c.tensor(arg::vec1), 1), b = c.tensor(arg::vec2), out = c.out();
  core::Scalar beta = c.scalar(arg::beta);
  Factor alpha(c.scalar(arg::alpha));
  bool integral = core::is_integral(out.dtype(), true);
  if (integral ? beta.to_int() == 0 : beta.to_complex() == core::Complex128{}) {
    std::array<Tensor, 2> in{a, b};
    return Gpu::compute_over<common::all_kinds, 2>(c, out, wide(out.dtype(), true), in,
                                                   ScaledProduct{alpha});
  }
  std::array<Tensor, 3> in{c.tensor(arg::self), a, b};
  Gpu::compute_over<common::all_kinds, 3>(c, out, wide(out.dtype(), true), in,
                                          BlendedProduct{Factor(beta), alpha});
}

// Matrices

template <typename T>
struct ElementOfProduct {
  const std::byte* left;
  const std::byte* right;
  std::byte* out;
  int64_t left_step, right_step, inner;  // Steps along the rows and columns, in bytes.
  Layout<3> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    const std::byte* a = left + at.of[1];
    const std::byte* b = right + at.of[2];
    Accumulated<T> sum(0);
    for (int64_t k = 0; k < inner; ++k) {
      auto x = convert<Accumulated<T>>(*reinterpret_cast<const T*>(a + k * left_step));
      auto y = convert<Accumulated<T>>(*reinterpret_cast<const T*>(b + k * right_step));
      sum = plus(sum, times(x, y));
    }
    *reinterpret_cast<T*>(out + at.of[0]) = convert<T>(sum);
  }
};

/// The first element along a dimension.
Tensor first_along(const Tensor& t, size_t dim) {
  Dims sizes = t.sizes(), strides = t.strides();
  sizes[dim] = 1;
  strides[dim] = 0;
  return t.view(sizes, strides, t.offset());
}

template <typename T>
void run_by_elements(const Call& c, const Tensor& left, const Tensor& right, const Tensor& out) {
  size_t last = left.sizes().size() - 1, inner = right.sizes().size() - 2;
  auto item = static_cast<int64_t>(sizeof(T));
  auto layout =
      Layout<3>::of(out.sizes(), {out, first_along(left, last), first_along(right, inner)});
  ElementOfProduct<T> body{left.device_address(),
                           right.device_address(),
                           out.device_address(),
                           left.stride(last) * item,
                           right.stride(inner) * item,
                           left.size(last),
                           layout};
  for_each(queue_of(c), layout.count, body);
}

/// out[r, o] = sum over i, j of a[r, i] weight[o, i, j] b[r, j] (+ bias[o])
template <typename T>
struct Bilinear {
  const T* a;
  const T* b;
  const T* weight;
  const T* bias;
  T* out;
  int64_t outs, n, m;

  using Acc = Accumulated<T>;

  ASSAY_ANYWHERE Acc start() const { return Acc(0); }
  ASSAY_ANYWHERE Acc load(int64_t row, int64_t at) const {
    int64_t r = row / outs, o = row - r * outs, i = at / m, j = at - i * m;
    Acc left = times(convert<Acc>(a[r * n + i]), convert<Acc>(weight[(o * n + i) * m + j]));
    return times(left, convert<Acc>(b[r * m + j]));
  }
  ASSAY_ANYWHERE Acc join(Acc x, Acc y) const { return plus(x, y); }
  ASSAY_ANYWHERE void finish(int64_t row, Acc total) const {
    if (bias) total = plus(total, convert<Acc>(bias[row % outs]));
    out[row] = convert<T>(total);
  }
};

template <typename T>
void run_bilinear(Call& c) {
  auto packed = [&](ops::ArgName name) {
    Tensor t = c.tensor(name);
    if (!t || t.dtype() == c.out().dtype()) return t ? contiguous(c, t) : t;
    Tensor cast = Tensor::empty(t.sizes(), c.out().dtype(), t.device());
    copy_elements(c, cast, t);
    return cast;
  };
  Tensor a = packed(arg::input1), b = packed(arg::input2), weight = packed(arg::weight),
         bias = packed(arg::bias), out = c.out();
  auto data = [](const Tensor& t) {
    return t ? reinterpret_cast<T*>(t.device_address()) : nullptr;
  };
  if (out.numel() == 0) return;
  Bilinear<T> body{data(a),   data(b),        data(weight),   data(bias),
                   data(out), weight.size(0), weight.size(1), weight.size(2)};
  reduce(c, queue_of(c), out.numel(), weight.size(1) * weight.size(2), body);
}

void bilinear(Call& c) {
  common::over_all(c.out().dtype(), "bilinear",
                   [&](auto zero) { run_bilinear<Stored<decltype(zero)>>(c); });
}

// Cross products

/// Differences of products are computed in double, since little may be left of them.
template <typename T>
struct CrossProduct {
  std::byte* out;
  const std::byte* a;
  const std::byte* b;
  int64_t steps[3];  // From one of the three elements to the next, in bytes.
  Layout<3> layout;

  using C = std::conditional_t<is_complex_type<T>, Complex<double>,
                               std::conditional_t<is_float_type<T>, double, int64_t>>;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    C x[3], y[3];
    for (int k = 0; k < 3; ++k) {
      x[k] = convert<C>(*reinterpret_cast<const T*>(a + at.of[1] + k * steps[1]));
      y[k] = convert<C>(*reinterpret_cast<const T*>(b + at.of[2] + k * steps[2]));
    }
    for (int k = 0; k < 3; ++k) {
      int u = (k + 1) % 3, v = (k + 2) % 3;
      C made = minus(times(x[u], y[v]), times(x[v], y[u]));
      *reinterpret_cast<T*>(out + at.of[0] + k * steps[0]) = convert<T>(made);
    }
  }
};

template <typename T>
void run_cross(Call& c) {
  Tensor out = c.out(), a = views::expand(c.tensor(arg::self), out.sizes()),
         b = views::expand(c.tensor(arg::other), out.sizes());
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), out.dim()));
  if (out.numel() == 0) return;
  Dims sizes = out.sizes();
  sizes[dim] = 1;
  std::array<Tensor, 3> all{out, a, b};
  CrossProduct<T> body{out.device_address(), a.device_address(), b.device_address(), {}, {}};
  for (size_t i = 0; i < 3; ++i) {
    body.steps[i] = all[i].stride(dim) * static_cast<int64_t>(sizeof(T));
    all[i] = first_along(all[i], dim);
  }
  body.layout = Layout<3>::of(sizes, all);
  for_each(queue_of(c), body.layout.count, body);
}

void cross(Call& c) {
  common::over_all(c.out().dtype(), "cross",
                   [&](auto zero) { run_cross<Stored<decltype(zero)>>(c); });
}

// Batches

struct Addresses {
  std::byte* operands[3];  // The result's is first, as in the layout.
  std::byte** to;
  Layout<3> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    to[i] = operands[1] + at.of[1];
    to[layout.count + i] = operands[2] + at.of[2];
    to[2 * layout.count + i] = operands[0] + at.of[0];
  }
};

constexpr ops::Kernel element_products_table[] = {
    {"aten::dot", dot},   {"aten::vdot", vdot},         {"aten::outer", outer},
    {"aten::addr", addr}, {"aten::bilinear", bilinear}, {"aten::linalg_cross", cross},
};

}  // namespace

void add_scaled(Call& call, const Tensor& out, const Tensor& self, const core::Scalar& beta,
                const core::Scalar& alpha) {
  if (!self)
    return Gpu::compute_over<common::all_kinds, 1>(call, out, out.dtype(), {out},
                                                   Scaled{Factor(alpha)});
  std::array<Tensor, 2> in{self, out};
  Gpu::compute_over<common::all_kinds, 2>(call, out, out.dtype(), in,
                                          Blend{Factor(beta), Factor(alpha)});
}

void inner_product(const Call& call, const Tensor& a, const Tensor& b, bool conjugates,
                   const Tensor& out) {
  common::over_all(a.dtype(), "dot", [&](auto zero) {
    run_inner_product<Stored<decltype(zero)>>(call, a, b, conjugates, out);
  });
}

void multiply_by_elements(const Call& call, const Tensor& left, const Tensor& right,
                          const Tensor& out) {
  common::over_all(out.dtype(), "addmm_cuda", [&](auto zero) {
    run_by_elements<Stored<decltype(zero)>>(call, left, right, out);
  });
}

Tensor addresses_of(const Call& call, core::DimSpan batch, const Tensor& first,
                    const Tensor& second, const Tensor& out) {
  auto layout = Layout<3>::of(batch, {out, first, second});
  Tensor room = scratch(call, 3 * layout.count * static_cast<int64_t>(sizeof(std::byte*)));
  Addresses body{{out.device_address(), first.device_address(), second.device_address()},
                 reinterpret_cast<std::byte**>(room.device_address()),
                 layout};
  for_each(queue_of(call), layout.count, body);
  return room;
}

std::span<const ops::Kernel> element_product_kernels() { return element_products_table; }

}  // namespace assay::kernels::cuda
