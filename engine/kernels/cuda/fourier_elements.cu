#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/fourier_elements.h"
#include "engine/kernels/cuda/parallel.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;

template <typename T>
struct CompleteRows {
  const T* half;
  T* whole;
  int64_t length;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = i / length, k = i - row * length, held = length / 2 + 1;
    T value = half[row * held + (k < held ? k : length - k)];
    whole[i] = k < held ? value : T(value.real(), -value.imag());
  }
};

template <typename T>
struct MakeEndsReal {
  T* half;
  int64_t held;
  bool has_middle;

  ASSAY_ANYWHERE void operator()(int64_t row) const {
    T* at = half + row * held;
    at[0] = T(at[0].real(), 0);
    if (has_middle) at[held - 1] = T(at[held - 1].real(), 0);
  }
};

template <typename T>
T* data_of(const Tensor& t) {
  return reinterpret_cast<T*>(t.device_address());
}

template <typename T>
void run_complete(const ops::Call& call, const Tensor& half, const Tensor& whole) {
  for_each(queue_of(call), whole.numel(),
           CompleteRows<T>{data_of<T>(half), data_of<T>(whole), whole.sizes().back()});
}

template <typename T>
void run_make_real(const ops::Call& call, const Tensor& half, int64_t length) {
  int64_t held = half.sizes().back();
  for_each(queue_of(call), half.numel() / held,
           MakeEndsReal<T>{data_of<T>(half), held, length % 2 == 0});
}

}  // namespace

void complete_rows(const ops::Call& call, const Tensor& half, const Tensor& whole) {
  if (half.dtype() == core::DType::complex64)
    run_complete<Complex<float>>(call, half, whole);
  else
    run_complete<Complex<double>>(call, half, whole);
}

void make_ends_real(const ops::Call& call, const Tensor& half, int64_t length) {
  if (half.dtype() == core::DType::complex64)
    run_make_real<Complex<float>>(call, half, length);
  else
    run_make_real<Complex<double>>(call, half, length);
}

}  // namespace assay::kernels::cuda
