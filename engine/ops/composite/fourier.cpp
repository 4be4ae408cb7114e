// Fourier transforms of real and complex tensors, over one or more dimensions and over windows.

#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

constexpr int64_t type(DType dtype) { return static_cast<int64_t>(dtype); }

Tensor to(const Call& c, const Tensor& t, DType dtype) {
  return t.dtype() == dtype ? t : c.call_tensor("aten::to.dtype", {t, type(dtype)});
}

/// Numbers of a type that can be transformed.
Tensor transformable(const Call& c, const Tensor& t, bool complex) {
  DType dtype = core::is_floating(t.dtype()) || core::is_complex(t.dtype())
                    ? t.dtype()
                    : c.context.default_dtype;
  bool known = dtype == DType::float32 || dtype == DType::float64 || dtype == DType::complex64 ||
               dtype == DType::complex128;
  base::check(known, "Unsupported dtype ", core::script_name(dtype));
  if (complex && !core::is_complex(dtype))
    dtype = dtype == DType::float64 ? DType::complex128 : DType::complex64;
  return to(c, t, dtype);
}

/// The scale of a transform: 0 leaves it, 1 divides by the root of the points, 2 by the points.
int64_t scale(const Value& norm, bool forward) {
  if (norm.is_none() || norm.to_string() == "backward") return forward ? 0 : 2;
  if (norm.to_string() == "forward") return forward ? 2 : 0;
  base::check(norm.to_string() == "ortho", "Invalid normalization mode: \"", norm.to_string(),
              "\"");
  return 1;
}

/// Cut, or filled up with zeros, to so many points.
Tensor resized(const Call& c, const Tensor& t, int64_t dim, int64_t points) {
  base::check(points >= 1, "Invalid number of data points (", points, ") specified");
  int64_t now = t.size(static_cast<size_t>(dim));
  if (points < now) return views::narrow(t, dim, 0, points);
  if (points == now) return t;
  Dims pad(static_cast<size_t>(2 * (t.dim() - dim)), 0);
  pad[pad.size() - 1] = points - now;
  return c.call_tensor("aten::constant_pad_nd", {t, core::make_int_list(pad), 0});
}

Value one(int64_t dim) { return Value(core::make_int_list(Dims{dim})); }

Tensor conjugate(const Call& c, const Tensor& t) {
  return core::is_complex(t.dtype()) ? c.call_tensor("aten::conj_physical", {t}) : t;
}

Tensor c2c(const Call& c, Tensor t, std::optional<int64_t> n, int64_t dim, const Value& norm,
           bool forward) {
  t = transformable(c, t, true);
  dim = core::wrap_dim(dim, t.dim(), false);
  if (n) t = resized(c, t, dim, *n);
  return c.call_tensor("aten::_fft_c2c", {t, one(dim), scale(norm, forward), Value(forward)});
}

/// Of real numbers; conjugated where the transform is the inverse one.
Tensor r2c(const Call& c, Tensor t, std::optional<int64_t> n, int64_t dim, const Value& norm,
           bool forward, bool onesided = true) {
  base::check(!core::is_complex(t.dtype()), "expected real numbers to transform, got ",
              core::script_name(t.dtype()));
  t = transformable(c, t, false);
  dim = core::wrap_dim(dim, t.dim(), false);
  if (n) t = resized(c, t, dim, *n);
  Tensor made =
      c.call_tensor("aten::_fft_r2c", {t, one(dim), scale(norm, forward), Value(onesided)});
  return forward ? made : conjugate(c, made);
}

/// To real numbers.
Tensor c2r(const Call& c, Tensor t, std::optional<int64_t> n, int64_t dim, const Value& norm,
           bool forward) {
  t = transformable(c, t, true);
  dim = core::wrap_dim(dim, t.dim(), false);
  int64_t points = n ? *n : base::checked_mul(2, t.size(static_cast<size_t>(dim)) - 1);
  base::check(points >= 1, "Invalid number of data points (", points, ") specified");
  t = resized(c, t, dim, points / 2 + 1);
  if (forward) t = conjugate(c, t);
  return c.call_tensor("aten::_fft_c2r", {t, one(dim), scale(norm, forward), points});
}

enum class Kind { complex, half, real };

template <Kind kind, bool forward>
void over_one(Call& c) {
  Tensor t = c.tensor(arg::self);
  auto n = c.optional_integer(arg::n);
  int64_t dim = c.integer(arg::dim);
  const Value& norm = c.value(arg::norm);
  if constexpr (kind == Kind::complex) {
    bool real = !core::is_complex(t.dtype());
    return c.finish(
        Value(real ? r2c(c, t, n, dim, norm, forward, false) : c2c(c, t, n, dim, norm, forward)));
  }
  if constexpr (kind == Kind::half) return c.finish(Value(r2c(c, t, n, dim, norm, forward)));
  c.finish(Value(c2r(c, t, n, dim, norm, forward)));
}

/// Dimensions of a transform, and the points asked for along each.
struct Plan {
  Dims dims;
  std::vector<std::optional<int64_t>> points;
};

Plan plan_of(const Call& c, const Tensor& t) {
  Plan plan;
  bool has_sizes = !c.is_none(arg::s), has_dims = !c.is_none(arg::dim);
  Dims sizes = c.ints(arg::s);
  if (has_dims) {
    plan.dims = views::wrap_dims(c.ints(arg::dim), t.dim());
  } else {
    auto count = has_sizes ? static_cast<int64_t>(sizes.size()) : t.dim();
    base::check(count <= t.dim(), "Got shape with ", count, " values but input tensor only has ",
                t.dim(), " dimensions.");
    for (int64_t d = t.dim() - count; d < t.dim(); ++d) plan.dims.push_back(d);
  }
  base::check(!has_sizes || sizes.size() == plan.dims.size(),
              "When given, dim and shape arguments must have the same length");
  for (size_t i = 0; i < plan.dims.size(); ++i) {
    plan.points.push_back(has_sizes && sizes[i] != -1 ? std::optional(sizes[i]) : std::nullopt);
  }
  return plan;
}

/// Complex ones along all dimensions but, where `real`, the last of them.
Tensor over_others(const Call& c, Tensor t, const Plan& plan, bool forward, bool real) {
  size_t count = plan.dims.size() - (real ? 1 : 0);
  for (size_t i = count; i-- > 0;)
    t = c2c(c, t, plan.points[i], plan.dims[i], c.value(arg::norm), forward);
  return t;
}

template <Kind kind, bool forward>
void over_several(Call& c) {
  Tensor t = c.tensor(arg::self);
  Plan plan = plan_of(c, t);
  const Value& norm = c.value(arg::norm);
  if constexpr (kind == Kind::complex) {
    if (plan.dims.empty()) return c.finish(c.call("aten::clone", {transformable(c, t, true), {}}));
    return c.finish(Value(over_others(c, t, plan, forward, false)));
  }
  base::check(!plan.dims.empty(), "at least one axis must be transformed");
  int64_t last = plan.dims.back();
  if constexpr (kind == Kind::half) {
    t = r2c(c, t, plan.points.back(), last, norm, forward);
    return c.finish(Value(over_others(c, t, plan, forward, true)));
  }
  t = over_others(c, t, plan, forward, true);
  c.finish(Value(c2r(c, t, plan.points.back(), last, norm, forward)));
}

/// Frequencies of the points of a transform.
template <bool half>
void frequencies(Call& c) {
  int64_t n = c.integer(arg::n);
  base::check(n > 0, "the number of points must be positive, and is ", n);
  auto range = [&](int64_t from, int64_t end) {
    return c.call_tensor("aten::arange.start", {from,
                                                end,
                                                c.has(arg::dtype) ? c.value(arg::dtype) : Value(),
                                                {},
                                                c.value(arg::device),
                                                {}});
  };
  DType dtype = c.dtype_or(arg::dtype, c.context.default_dtype);
  base::check(core::is_floating(dtype) || core::is_complex(dtype),
              "frequencies are floating numbers, not ", core::script_name(dtype));
  double unit = 1 / (static_cast<double>(n) * c.floating(arg::d));
  Tensor places = half ? range(0, n / 2 + 1) : range(0, (n - 1) / 2 + 1);
  if (!half) {
    Tensor negative = range(-(n / 2), 0);
    places = c.call_tensor("aten::cat", {core::make_tensor_list({places, negative}), 0});
  }
  c.finish(Value(Algebra(c).mul(to(c, places, dtype), unit)));
}

// Windows

/// The window filled up to n points, or ones.
Tensor window_of(const Call& c, const Tensor& like, int64_t n, int64_t length, DType dtype) {
  base::check(length > 0 && length <= n,
              "expected 0 < win_length <= n_fft, but got win_length=", length, " and n_fft=", n);
  Tensor window = c.tensor(arg::window);
  base::check(!window || (window.dim() == 1 && window.size(0) == length),
              "expected a 1D window tensor of size equal to win_length=", length);
  if (!window && length == n) return {};
  if (!window) {
    window = c.call_tensor(
        "aten::ones",
        {core::make_int_list(Dims{length}), type(dtype), {}, Value(like.device()), {}});
  }
  if (length == n) return window;
  int64_t left = (n - length) / 2;
  return c.call_tensor("aten::constant_pad_nd",
                       {window, core::make_int_list(Dims{left, n - length - left}), 0});
}

Value norm_of(bool normalized) { return normalized ? Value(std::string("ortho")) : Value(); }

void stft(Call& c) {
  Algebra f(c);
  Tensor x = c.tensor(arg::self);
  int64_t n = c.integer(arg::n_fft);
  int64_t hop = c.integer_or(arg::hop_length, n / 4), length = c.integer_or(arg::win_length, n);
  base::check(core::is_floating(x.dtype()) || core::is_complex(x.dtype()),
              "stft: expected a tensor of floating point or complex values");
  base::check(x.dim() == 1 || x.dim() == 2, "stft: expected a 1D or 2D tensor");
  bool batched = x.dim() == 2;
  if (!batched) x = views::unsqueeze(x, 0);
  if (c.has(arg::center) && c.boolean(arg::center)) {
    Value sides(core::make_int_list(Dims{n / 2, n / 2}));
    Tensor wide = c.call_tensor("aten::unsqueeze", {x, 0});
    x = c.call_tensor("aten::pad", {wide, sides, c.value(arg::pad_mode), Value()});
    x = views::squeeze(x, 0);
  }
  base::check(n > 0 && n <= x.size(1), "stft: expected 0 < n_fft <= ", x.size(1),
              ", but got n_fft=", n);
  base::check(hop > 0, "stft: expected hop_length > 0, but got hop_length=", hop);
  Tensor window = window_of(c, x, n, length, x.dtype());
  bool complex = core::is_complex(x.dtype()) || (window && core::is_complex(window.dtype()));
  bool onesided = c.is_none(arg::onesided) ? !complex : c.boolean(arg::onesided);
  base::check(!complex || !onesided, "stft: complex values have no one-sided transform");
  Tensor frames = views::unfold(x, 1, n, hop);
  if (window) frames = f.mul(frames, window);
  Value norm = norm_of(c.boolean(arg::normalized));
  Tensor made =
      complex ? c2c(c, frames, {}, -1, norm, true) : r2c(c, frames, {}, -1, norm, true, onesided);
  made = views::transpose(made, 1, 2);
  if (!batched) made = views::squeeze(made, 0);
  bool as_complex = c.is_none(arg::return_complex) ? complex : c.boolean(arg::return_complex);
  c.finish(Value(as_complex ? made : views::as_real(made)));
}

/// The sums of overlapping frames (batch, frames, points).
Tensor overlapped(const Call& c, const Tensor& frames, int64_t hop) {
  int64_t count = frames.size(1), n = frames.size(2);
  int64_t length = base::checked_add(n, base::checked_mul(hop, count - 1));
  auto range = [&](int64_t end) {
    return c.call_tensor("aten::arange", {end, type(DType::int64), {}, Value(frames.device()), {}});
  };
  Algebra f(c);
  Tensor starts = views::unsqueeze(f.mul(range(count), hop), 1);
  Tensor places =
      c.call_tensor("aten::reshape", {f.add(starts, range(n)), core::make_int_list(Dims{-1})});
  Tensor sums = c.call_tensor("aten::zeros", {core::make_int_list(Dims{frames.size(0), length}),
                                              type(frames.dtype()),
                                              {},
                                              Value(frames.device()),
                                              {}});
  Tensor flat = c.call_tensor(
      "aten::reshape",
      {frames, core::make_int_list(Dims{frames.size(0), base::checked_mul(count, n)})});
  return c.call_tensor("aten::index_add", {sums, 1, places, flat, 1});
}

void istft(Call& c) {
  Algebra f(c);
  Tensor x = c.tensor(arg::self);
  int64_t n = c.integer(arg::n_fft);
  int64_t hop = c.integer_or(arg::hop_length, n / 4), length = c.integer_or(arg::win_length, n);
  if (!core::is_complex(x.dtype())) {
    base::check(x.dim() >= 3 && x.sizes().back() == 2,
                "istft: a real input needs a last dimension of real and imaginary parts");
    x = views::as_complex(c.call_tensor("aten::contiguous", {x, 0}));
  }
  base::check(x.dim() == 2 || x.dim() == 3,
              "istft: expected frequencies by frames, and at most one "
              "dimension of batches before them");
  bool batched = x.dim() == 3;
  if (!batched) x = views::unsqueeze(x, 0);
  base::check(x.numel() > 0, "istft: there are no elements");
  bool onesided = c.is_none(arg::onesided) ? x.size(1) != n : c.boolean(arg::onesided);
  base::check(n > 0 && x.size(1) == (onesided ? n / 2 + 1 : n), "istft: ", x.size(1),
              " frequencies do not fit n_fft=", n);
  base::check(hop > 0 && hop <= length, "istft: expected 0 < hop_length <= win_length");
  bool as_complex = c.boolean(arg::return_complex);
  base::check(!as_complex || !onesided, "istft: a one-sided transform has a real inverse");
  DType real = x.dtype() == DType::complex128 ? DType::float64 : DType::float32;
  Tensor window = window_of(c, x, n, length, real);
  if (!window) {
    window = c.call_tensor("aten::ones",
                           {core::make_int_list(Dims{n}), type(real), {}, Value(x.device()), {}});
  }
  base::check(as_complex || !core::is_complex(window.dtype()),
              "istft: a complex window gives complex numbers: set return_complex");
  Value norm = norm_of(c.boolean(arg::normalized));
  Tensor frames = views::transpose(x, 1, 2);
  if (!as_complex && !onesided) frames = views::narrow(frames, 2, 0, n / 2 + 1);
  frames = as_complex ? c2c(c, frames, {}, -1, norm, false) : c2r(c, frames, n, -1, norm, false);
  int64_t count = frames.size(1);
  Tensor sums = overlapped(c, f.mul(frames, window), hop);
  Tensor square = views::expand(views::unsqueeze(views::unsqueeze(f.mul(window, window), 0), 0),
                                Dims{1, count, n});
  Tensor weight = overlapped(c, square, hop);
  int64_t total = sums.size(1);
  bool center = c.boolean(arg::center);
  int64_t start = center ? n / 2 : 0;
  auto wanted = c.optional_integer(arg::length);
  int64_t end = wanted ? base::checked_add(start, *wanted) : center ? total - n / 2 : total;
  base::check(end >= start, "istft: there are no elements to give back");
  sums = views::narrow(sums, 1, start, std::min(end, total) - start);
  weight = views::narrow(weight, 1, start, std::min(end, total) - start);
  if (weight.numel() > 0) {
    Tensor least = c.call_tensor("aten::min", {f.one("abs", weight)});
    double smallest = c.call("aten::item", {least}).to_scalar().to_double();
    base::check(smallest > 1e-11, "istft: the windows do not overlap everywhere");
  }
  Tensor made = f.div(sums, weight);
  if (end > total) made = resized(c, made, 1, end - start);
  c.finish(Value(batched ? made : views::squeeze(made, 0)));
}

constexpr Kernel fourier_table[] = {
    {"aten::fft_fft", over_one<Kind::complex, true>},
    {"aten::fft_ifft", over_one<Kind::complex, false>},
    {"aten::fft_rfft", over_one<Kind::half, true>},
    {"aten::fft_ihfft", over_one<Kind::half, false>},
    {"aten::fft_irfft", over_one<Kind::real, false>},
    {"aten::fft_hfft", over_one<Kind::real, true>},
    {"aten::fft_fft2", over_several<Kind::complex, true>},
    {"aten::fft_fftn", over_several<Kind::complex, true>},
    {"aten::fft_ifft2", over_several<Kind::complex, false>},
    {"aten::fft_ifftn", over_several<Kind::complex, false>},
    {"aten::fft_rfft2", over_several<Kind::half, true>},
    {"aten::fft_rfftn", over_several<Kind::half, true>},
    {"aten::fft_ihfft2", over_several<Kind::half, false>},
    {"aten::fft_ihfftn", over_several<Kind::half, false>},
    {"aten::fft_irfft2", over_several<Kind::real, false>},
    {"aten::fft_irfftn", over_several<Kind::real, false>},
    {"aten::fft_hfft2", over_several<Kind::real, true>},
    {"aten::fft_hfftn", over_several<Kind::real, true>},
    {"aten::fft_fftfreq", frequencies<false>},
    {"aten::fft_rfftfreq", frequencies<true>},
    {"aten::stft", stft},
    {"aten::stft.center", stft},
    {"aten::istft", istft},
};

}  // namespace

std::span<const Kernel> fourier_composites() { return fourier_table; }

}  // namespace assay::ops::composite
