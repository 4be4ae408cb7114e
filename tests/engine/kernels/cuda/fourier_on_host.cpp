// What cuFFT does for the kernels of assay, where there is no GPU: transforms by their definition.

#include <cmath>
#include <numbers>
#include <vector>

#include "engine/base/error.h"
#include "engine/kernels/cuda/fourier_lines.h"

namespace assay::kernels::cuda {
namespace {

using C = core::Complex128;
using core::DType;
using core::Tensor;

std::vector<C> elements_of(const Tensor& t) {
  std::vector<C> values(static_cast<size_t>(t.numel()));
  auto read = [&](const auto* from) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = C(from[i]);
  };
  switch (t.dtype()) {
    case DType::float32:
      read(t.device_data<float>());
      break;
    case DType::float64:
      read(t.device_data<double>());
      break;
    case DType::complex64:
      read(t.device_data<core::Complex64>());
      break;
    default:
      read(t.device_data<C>());
  }
  return values;
}

/// Along the lines whose elements are `step` apart.
void transform(std::vector<C>& x, int64_t n, int64_t step, bool forward) {
  std::vector<C> roots, line(static_cast<size_t>(n));
  for (int64_t k = 0; k < n; ++k) {
    double turn = (forward ? -2 : 2) * std::numbers::pi * static_cast<double>(k);
    roots.push_back(std::polar(1.0, turn / static_cast<double>(n)));
  }
  for (int64_t first = 0; first < static_cast<int64_t>(x.size()); ++first) {
    if (first / step % n != 0) continue;
    for (int64_t k = 0; k < n; ++k) {
      C sum;
      for (int64_t j = 0; j < n; ++j) {
        C v = x[static_cast<size_t>(first + j * step)], w = roots[static_cast<size_t>(j * k % n)];
        sum +=
            C(v.real() * w.real() - v.imag() * w.imag(), v.real() * w.imag() + v.imag() * w.real());
      }
      line[static_cast<size_t>(k)] = sum;
    }
    for (int64_t k = 0; k < n; ++k)
      x[static_cast<size_t>(first + k * step)] = line[static_cast<size_t>(k)];
  }
}

/// Rows cut or mirrored to the length of the result's.
std::vector<C> fitted(const std::vector<C>& x, int64_t length, int64_t to) {
  std::vector<C> out;
  for (size_t row = 0; row < x.size(); row += static_cast<size_t>(length)) {
    for (int64_t k = 0; k < to; ++k) {
      bool held = k < length;
      C v = x[row + static_cast<size_t>(held ? k : to - k)];
      out.push_back(held ? v : std::conj(v));
    }
  }
  return out;
}

void write(const std::vector<C>& values, const Tensor& to) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (to.dtype() == DType::float32)
      to.device_data<float>()[i] = static_cast<float>(values[i].real());
    else if (to.dtype() == DType::float64)
      to.device_data<double>()[i] = values[i].real();
    else if (to.dtype() == DType::complex64)
      to.device_data<core::Complex64>()[i] = core::Complex64(values[i]);
    else
      to.device_data<C>()[i] = values[i];
  }
}

}  // namespace

void run_fourier(const ops::Call&, Fourier kind, bool forward, const Tensor& from, const Tensor& to,
                 size_t rank) {
  base::invariant(rank >= 1 && rank <= 3 && from.is_contiguous() && to.is_contiguous() &&
                      from.numel() > 0 && to.numel() > 0 && from.storage() != to.storage() &&
                      (rank == 1 || kind != Fourier::complex_to_real),
                  "cuFFT refuses these arguments");
  std::vector<C> x = elements_of(from);
  core::Dims sizes = from.sizes();
  if (kind == Fourier::complex_to_real) {
    x = fitted(x, from.sizes().back(), to.sizes().back());
    sizes = to.sizes();
  }
  int64_t step = 1;
  for (size_t d = sizes.size(); d-- > sizes.size() - rank;) {
    transform(x, sizes[d], step, forward);
    step *= sizes[d];
  }
  if (kind == Fourier::real_to_complex) x = fitted(x, from.sizes().back(), to.sizes().back());
  write(x, to);
}

}  // namespace assay::kernels::cuda
