// Discrete Fourier transforms: the dimensions to transform are brought to the end, in groups of as
// many as the library takes at once.

#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/fourier_elements.h"
#include "engine/kernels/cuda/fourier_lines.h"
#include "engine/kernels/cuda/product_elements.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;
namespace views = ops::views;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

constexpr size_t most_at_once = 3;

Dims dims_of(const Call& c, const Tensor& self) {
  Dims dims = views::wrap_dims(c.ints(arg::dim), self.dim());
  base::check(self.dim() > 0 || dims.empty(), "a Fourier transform needs a dimension");
  for (int64_t d : dims) {
    base::check(self.size(static_cast<size_t>(d)) > 0,
                "a Fourier transform needs points, and dimension ", d, " has none");
  }
  return dims;
}

/// The order of dimensions in which some come last.
Dims brought_last(int64_t rank, const Dims& last) {
  Dims order;
  for (int64_t d = 0; d < rank; ++d) {
    if (std::find(last.begin(), last.end(), d) == last.end()) order.push_back(d);
  }
  for (int64_t d : last) order.push_back(d);
  return order;
}

Tensor brought_back(const Tensor& t, const Dims& order) {
  Dims back(order.size(), 0);
  for (size_t d = 0; d < order.size(); ++d)
    back[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
  return views::permute(t, back);
}

/// Up to three dimensions, of which the last one has so many points afterwards.
Tensor transformed(const Call& c, const Tensor& x, const Dims& dims, Fourier kind, bool forward,
                   DType dtype, int64_t last_size) {
  Dims order = brought_last(x.dim(), dims);
  Tensor from = contiguous(c, views::permute(x, order));
  Dims sizes = from.sizes();
  sizes.back() = last_size;
  Tensor to = c.new_empty(sizes, dtype);
  if (from.numel() > 0) run_fourier(c, kind, forward, from, to, dims.size());
  return brought_back(to, order);
}

/// Complex numbers along any dimensions.
Tensor transformed(const Call& c, Tensor x, Dims dims, bool forward) {
  while (!dims.empty()) {
    Dims some;
    while (some.size() < most_at_once && !dims.empty()) {
      some.insert(0, dims.back());
      dims.pop_back();
    }
    x = transformed(c, x, some, Fourier::complex, forward, x.dtype(),
                    x.size(static_cast<size_t>(some.back())));
  }
  return x;
}

/// The result, row-major and scaled: 0 leaves, 1 divides by the root of the number of points, 2 by
/// the number.
void finish(Call& c, const Tensor& made, double points) {
  Tensor out = contiguous(c, made);
  out = out.view(out.sizes(), core::contiguous_strides(out.sizes()), out.offset());
  int64_t normalization = c.integer(arg::normalization);
  double scale = normalization == 1 ? 1 / std::sqrt(points) : 1 / points;
  if (normalization != 0 && points != 1) add_scaled(c, out, {}, 0, scale);
  c.finish(out);
}

double points_of(const Tensor& t, const Dims& dims) {
  double points = 1;
  for (int64_t d : dims) points *= static_cast<double>(t.size(static_cast<size_t>(d)));
  return points;
}

void c2c(Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(core::is_complex(self.dtype()), "_fft_c2c: expected complex numbers, got ",
              core::script_name(self.dtype()));
  Dims dims = dims_of(c, self);
  if (dims.empty()) {
    Tensor out = c.new_empty(self.sizes(), self.dtype());
    copy_elements(c, out, self);
    return c.finish(out);
  }
  finish(c, transformed(c, self, dims, c.boolean(arg::forward)), points_of(self, dims));
}

/// Halves of the last dimension; with it up to two others are transformed at once.
Tensor real_transformed(const Call& c, const Tensor& self, Dims dims, DType dtype) {
  Dims some, others;
  for (size_t i = 0; i < dims.size(); ++i)
    (i + most_at_once >= dims.size() ? some : others).push_back(dims[i]);
  int64_t held = self.size(static_cast<size_t>(dims.back())) / 2 + 1;
  Tensor half = transformed(c, self, some, Fourier::real_to_complex, true, dtype, held);
  return transformed(c, half, others, true);
}

/// All of the last dimension, and then the others.
Tensor real_transformed_whole(const Call& c, const Tensor& self, Dims dims, DType dtype) {
  Dims last{dims.back()}, order = brought_last(self.dim(), last);
  dims.pop_back();
  int64_t points = self.size(static_cast<size_t>(last[0]));
  Tensor half = transformed(c, self, last, Fourier::real_to_complex, true, dtype, points / 2 + 1);
  half = contiguous(c, views::permute(half, order));
  Dims sizes = half.sizes();
  sizes.back() = points;
  Tensor whole = c.new_empty(sizes, dtype);
  complete_rows(c, half, whole);
  return transformed(c, brought_back(whole, order), dims, true);
}

void r2c(Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dtype() == DType::float32 || self.dtype() == DType::float64,
              "_fft_r2c: expected float32 or float64, got ", core::script_name(self.dtype()));
  Dims dims = dims_of(c, self);
  base::check(!dims.empty(), "_fft_r2c: there is no dimension to transform");
  DType dtype = self.dtype() == DType::float32 ? DType::complex64 : DType::complex128;
  auto run = c.boolean(arg::onesided) ? real_transformed : real_transformed_whole;
  finish(c, run(c, self, dims, dtype), points_of(self, dims));
}

/// The other half of the last dimension is the conjugate of the first one, but not along the
/// others, which are transformed first.
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
  Dims others = dims;
  others.pop_back();
  double points = points_of(self, others) * static_cast<double>(n);
  Tensor half = transformed(c, self, others, false);
  half = views::narrow(half, dims.back(), 0, n / 2 + 1);
  Dims order = brought_last(self.dim(), Dims{dims.back()});
  half = views::permute(half, order);
  // The library overwrites what it transforms.
  Tensor copy = c.new_empty(half.sizes(), half.dtype());
  copy_elements(c, copy, half);
  Dims sizes = copy.sizes();
  sizes.back() = n;
  Tensor real =
      c.new_empty(sizes, self.dtype() == DType::complex64 ? DType::float32 : DType::float64);
  if (real.numel() > 0) {
    make_ends_real(c, copy, n);
    run_fourier(c, Fourier::complex_to_real, false, copy, real, 1);
  }
  finish(c, brought_back(real, order), points);
}

constexpr ops::Kernel fourier_table[] = {
    {"aten::_fft_c2c", c2c}, {"aten::_fft_r2c", r2c}, {"aten::_fft_c2r", c2r}};

}  // namespace

std::span<const ops::Kernel> fourier_kernels() { return fourier_table; }

}  // namespace assay::kernels::cuda
