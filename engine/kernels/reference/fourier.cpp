// Discrete Fourier transforms, in double.

#include <cmath>
#include <numbers>

#include "engine/base/checked.h"
#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
namespace {

using C = core::Complex128;
using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;
namespace arg = ops::arg;

C times(C a, C b) { return multiply_add(C{}, a, b); }

/// exp(-2πi k / n), exact where it is ±1 or ±i.
C root(size_t k, size_t n) {
  size_t quarter = 4 * k / n, rest = 4 * k - quarter * n;
  double angle = std::numbers::pi / 2 * static_cast<double>(rest) / static_cast<double>(n);
  double x = std::cos(angle), y = rest == 0 ? 0 : -std::sin(angle);
  switch (quarter) {
    case 0:
      return {x, y};
    case 1:
      return {y, -x};
    case 2:
      return {-x, -y};
    default:
      return {-y, x};
  }
}

size_t smallest_factor(size_t n) {
  for (size_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

/// Transforms of one length: mixed radices (Cooley and Tukey 1965), and for long primes a
/// convolution of a power of two (Bluestein 1970).
class Transform {
 public:
  explicit Transform(size_t n) : n_(n), roots_(n) {
    for (size_t k = 0; k < n; ++k) roots_[k] = root(k, n);
  }

  std::vector<C> operator()(const std::vector<C>& in) {
    std::vector<C> out(n_);
    if (n_ > 0) run(in.data(), 1, out.data(), n_);
    return out;
  }

 private:
  static constexpr size_t direct = 61;

  void run(const C* in, size_t stride, C* out, size_t n) {
    ticker_.tick(static_cast<int64_t>(n));
    if (n == 1) {
      out[0] = in[0];
      return;
    }
    size_t p = smallest_factor(n), m = n / p;
    if (p > direct) return chirp(in, stride, out, n);
    for (size_t r = 0; r < p; ++r) run(in + r * stride, stride * p, out + r * m, m);
    size_t step = n_ / n;
    std::vector<C> part(p);
    for (size_t k = 0; k < m; ++k) {
      for (size_t r = 0; r < p; ++r) part[r] = times(out[r * m + k], roots_[r * k * step]);
      for (size_t q = 0; q < p; ++q) {
        C sum = part[0];
        for (size_t r = 1; r < p; ++r) sum += times(part[r], roots_[r * q % p * (n_ / p)]);
        out[q * m + k] = sum;
      }
    }
  }

  /// 2 j k = j² + k² - (j - k)² makes the transform a convolution with a chirp.
  void chirp(const C* in, size_t stride, C* out, size_t n) {
    size_t wide = 1;
    while (wide < 2 * n) wide *= 2;
    std::vector<C> wave(n), a(wide), b(wide);
    for (size_t k = 0; k < n; ++k) {
      double square = static_cast<double>(k * k % (2 * n));
      double turn = -std::numbers::pi * square / static_cast<double>(n);
      wave[k] = {std::cos(turn), std::sin(turn)};
      a[k] = times(in[k * stride], wave[k]);
      b[k] = std::conj(wave[k]);
      if (k > 0) b[wide - k] = b[k];
    }
    Transform convolve(wide);
    auto x = convolve(a), y = convolve(b);
    for (size_t k = 0; k < wide; ++k) x[k] = std::conj(times(x[k], y[k]));
    x = convolve(x);
    for (size_t k = 0; k < n; ++k)
      out[k] = times(std::conj(x[k]) / static_cast<double>(wide), wave[k]);
  }

  size_t n_;
  std::vector<C> roots_;
  base::DeadlineTicker ticker_;
};

void along(Dense<C>& x, size_t dim, bool forward) {
  auto n = static_cast<size_t>(x.sizes[dim]);
  size_t step = 1;
  for (size_t d = dim + 1; d < x.sizes.size(); ++d) step *= static_cast<size_t>(x.sizes[d]);
  Transform transform(n);
  std::vector<C> line(n);
  for (size_t start = 0; start < x.values.size(); ++start) {
    if (start / step % n != 0) continue;
    C* at = x.data() + start;
    for (size_t k = 0; k < n; ++k) line[k] = forward ? at[k * step] : std::conj(at[k * step]);
    auto made = transform(line);
    for (size_t k = 0; k < n; ++k) at[k * step] = forward ? made[k] : std::conj(made[k]);
  }
}

/// Transforms along the dimensions, and scales: 0 leaves, 1 divides by the root of the number of
/// points, 2 by the number.
void transform(Dense<C>& x, const Dims& dims, int64_t normalization, bool forward) {
  double points = 1;
  for (int64_t d : dims) {
    along(x, static_cast<size_t>(d), forward);
    points *= static_cast<double>(x.sizes[static_cast<size_t>(d)]);
  }
  if (normalization == 0) return;
  double scale = normalization == 1 ? 1 / std::sqrt(points) : 1 / points;
  for (C& v : x.values) v *= scale;
}

Dims dims_of(const Call& c, const Tensor& self) {
  Dims dims = ops::views::wrap_dims(c.ints(arg::dim), self.dim());
  base::check(self.dim() > 0 || dims.empty(), "a Fourier transform needs a dimension");
  for (int64_t d : dims) {
    base::check(self.size(static_cast<size_t>(d)) > 0,
                "a Fourier transform needs points, and dimension ", d, " has none");
  }
  return dims;
}

bool is_single(DType dtype) { return dtype == DType::float32 || dtype == DType::complex64; }

void c2c(Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(core::is_complex(self.dtype()), "_fft_c2c: expected complex numbers, got ",
              core::script_name(self.dtype()));
  Dims dims = dims_of(c, self);
  auto x = dense<C>(self);
  transform(x, dims, c.integer(arg::normalization), c.boolean(arg::forward));
  Tensor out = c.new_empty(self.sizes(), self.dtype());
  store(x, out);
  c.finish(out);
}

/// Rounding aside, the halves of a real line's transform are conjugates of each other.
void mirror(Dense<C>& x, size_t dim) {
  auto n = static_cast<size_t>(x.sizes[dim]);
  size_t step = 1;
  for (size_t d = dim + 1; d < x.sizes.size(); ++d) step *= static_cast<size_t>(x.sizes[d]);
  for (size_t i = 0; i < x.values.size(); ++i) {
    size_t k = i / step % n;
    if (k == 0 || 2 * k == n) x.values[i] = x.values[i].real();
    if (2 * k > n) x.values[i] = std::conj(x.values[i - (2 * k - n) * step]);
  }
}

void r2c(Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dtype() == DType::float32 || self.dtype() == DType::float64,
              "_fft_r2c: expected float32 or float64, got ", core::script_name(self.dtype()));
  Dims dims = dims_of(c, self);
  base::check(!dims.empty(), "_fft_r2c: there is no dimension to transform");
  auto x = dense<C>(self);
  transform(x, dims, c.integer(arg::normalization), true);
  DType dtype = is_single(self.dtype()) ? DType::complex64 : DType::complex128;
  auto last = static_cast<size_t>(dims.back());
  if (dims.size() == 1) mirror(x, last);
  Dims sizes = self.sizes();
  Tensor all = c.new_empty(sizes, dtype);
  store(x, all);
  if (!c.boolean(arg::onesided)) return c.finish(all);
  sizes[last] = sizes[last] / 2 + 1;
  Tensor half = ops::views::narrow(all, dims.back(), 0, sizes[last]);
  Tensor out = c.new_empty(sizes, dtype);
  store(dense<C>(half), out);
  c.finish(out);
}

/// The other half of the last dimension is the conjugate of the first one.
void c2r(Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(core::is_complex(self.dtype()), "_fft_c2r: expected complex numbers, got ",
              core::script_name(self.dtype()));
  Dims dims = dims_of(c, self);
  int64_t n = c.integer(arg::last_dim_size);
  base::check(!dims.empty(), "_fft_c2r: there is no dimension to transform");
  auto last = static_cast<size_t>(dims.back());
  base::check(n >= 1 && n / 2 + 1 <= self.size(last), "_fft_c2r: ", self.size(last),
              " points are no half of ", n);
  // The others first: the halves are conjugates of each other along the last one only.
  Dims others = dims;
  others.pop_back();
  auto half = dense<C>(self);
  transform(half, others, 0, false);
  Dims sizes = self.sizes();
  sizes[last] = n;
  Dense<C> x(sizes);
  int64_t step = 1, held = self.size(last);
  for (size_t d = last + 1; d < sizes.size(); ++d) step *= sizes[d];
  for (int64_t i = 0; i < static_cast<int64_t>(x.values.size()); ++i) {
    int64_t k = i / step % n, row = i / step / n, from = std::min(k, n - k);
    C v = half.data()[(row * held + from) * step + i % step];
    if (from == 0 || 2 * from == n) v = v.real();
    x.data()[i] = k == from ? v : std::conj(v);
  }
  along(x, last, false);
  double points = 1;
  for (int64_t d : dims) points *= static_cast<double>(sizes[static_cast<size_t>(d)]);
  int64_t normalization = c.integer(arg::normalization);
  double scale = normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(points) : 1 / points;
  Dense<double> real(sizes);
  for (size_t i = 0; i < x.values.size(); ++i) real.values[i] = x.values[i].real() * scale;
  Tensor out = c.new_empty(sizes, is_single(self.dtype()) ? DType::float32 : DType::float64);
  store(real, out);
  c.finish(out);
}

constexpr ops::Kernel fourier_table[] = {
    {"aten::_fft_c2c", c2c}, {"aten::_fft_r2c", r2c}, {"aten::_fft_c2r", c2r}};

}  // namespace

std::span<const ops::Kernel> fourier_kernels() { return fourier_table; }

}  // namespace assay::kernels::reference
