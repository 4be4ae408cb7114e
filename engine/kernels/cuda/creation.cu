// Tensors made of a number, of numbers, or of nothing.

#include <cstring>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/filling.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Scalar;
using core::Tensor;
using ops::Call;

void nothing(const Call&, const Tensor&) {}

bool is_zero(const Tensor& number) {
  const std::byte* bytes = number.device_address();
  for (size_t i = 0; i < number.item_size(); ++i) {
    if (bytes[i] != std::byte{0}) return false;
  }
  return true;
}

/// Sets all bytes to 0.
void clear(const Call& c, const Tensor& out) {
  size_t nbytes = static_cast<size_t>(out.numel()) * out.item_size();
#ifdef ASSAY_CUDA_ON_HOST
  (void)c;
  std::memset(out.device_address(), 0, nbytes);
#else
  check(cudaMemsetAsync(out.device_address(), 0, nbytes, queue_of(c).stream), "filling memory");
#endif
}

/// The number becomes an element on the CPU first.
void fill_with(const Call& c, const Tensor& out, const Scalar& number) {
  if (out.numel() == 0) return;
  Tensor element = Tensor::empty({}, out.dtype());
  common::fill_elements(element, number);
  if (is_zero(element) && core::is_non_overlapping_and_dense(out.sizes(), out.strides()))
    return clear(c, out);
  copy_elements(c, out, element);
}
void zeros(const Call& c, const Tensor& out) { fill_with(c, out, 0); }
void ones(const Call& c, const Tensor& out) { fill_with(c, out, 1); }
template <ops::ArgName value>
void number(const Call& c, const Tensor& out) {
  fill_with(c, out, c.scalar(value));
}
void tensor_value(const Call& c, const Tensor& out) {
  Tensor value = c.tensor(arg::value);
  base::check(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ",
              value.dim(), " dimensions.");
  if (value.storage() == out.storage()) {  // A view of the target may be the value.
    Tensor apart = Tensor::empty({}, value.dtype(), value.device());
    copy_elements(c, apart, value);
    value = apart;
  }
  copy_elements(c, out, value);
}

template <typename T>
struct EyeBody {
  std::byte* out;
  Layout<1> layout;
  int64_t columns;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = i / columns, column = i - row * columns;
    T value{};
    if (row == column) value = convert<T>(int64_t{1});
    *reinterpret_cast<T*>(out + layout.offsets(i).of[0]) = value;
  }
};

template <typename T>
void run_eye(const Call& c, const Tensor& out) {
  auto layout = Layout<1>::of(out.sizes(), {out}, true);
  for_each(queue_of(c), layout.count, EyeBody<T>{out.device_address(), layout, out.size(1)});
}
void eye(const Call& c, const Tensor& out) {
  common::over_all(out.dtype(), "eye", [&](auto zero) { run_eye<Stored<decltype(zero)>>(c, out); });
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
  if (out.numel() == 0) return;
  Tensor listed = Tensor::empty(out.sizes(), out.dtype());
  common::over_all(out.dtype(), "tensor", [&](auto zero) {
    write_numbers(c.first(), listed.device_data<decltype(zero)>());
  });
  c.call("aten::copy_", {out, listed});
}
template <Fill fill>
void with_grad(const Call& c, const Tensor& out) {
  fill(c, out);
  out.impl()->requires_grad = c.boolean(arg::requires_grad);
}

template <typename Real>
struct JoinComplex {
  std::byte* out;
  Operand real, imag;
  Layout<3> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    Real* to = reinterpret_cast<Real*>(out + at.of[0]);
    to[0] = *reinterpret_cast<const Real*>(real.at(at.of[1]));
    to[1] = *reinterpret_cast<const Real*>(imag.at(at.of[2]));
  }
};

template <typename Real>
void run_complex(const Call& c, const Tensor& out) {
  Tensor real = c.tensor(arg::real), imag = c.tensor(arg::imag);
  auto layout = Layout<3>::of(out.sizes(), {out, real, imag});
  for_each(queue_of(c), layout.count,
           JoinComplex<Real>{out.device_address(), Operand(real), Operand(imag), layout});
}
void complex_from_parts(const Call& c, const Tensor& out) {
  if (out.dtype() == core::DType::complex64) return run_complex<float>(c, out);
  run_complex<double>(c, out);
}

/// The powers 0 to N - 1 of an element, as a row.
template <typename W>
struct PowersBody {
  Operand from;
  std::byte* out;
  core::DType dtype;
  Layout<1> layout;
  int64_t each, item;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    W base = load<W>(from.at(layout.offsets(i).of[0]), from.dtype), power = W(1);
    std::byte* to = out + i * each * item;
    for (int64_t k = 0; k < each; ++k) {
      store(to + k * item, dtype, power);
      power = times(power, base);
    }
  }

 private:
  static ASSAY_ANYWHERE W times(W a, W b) {
    if constexpr (std::is_same_v<W, int64_t>)
      return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else if constexpr (is_complex_type<W>)
      return W(a.real() * b.real() - a.imag() * b.imag(),
               a.real() * b.imag() + a.imag() * b.real());
    else
      return a * b;
  }
};

template <typename W>
void run_powers(const Call& c, const Tensor& x, const Tensor& out) {
  auto layout = Layout<1>::of(x.sizes(), {x}, true);
  if (out.numel() == 0) return;
  for_each(queue_of(c), layout.count,
           PowersBody<W>{Operand(x), out.device_address(), out.dtype(), layout, out.sizes().back(),
                         static_cast<int64_t>(out.item_size())});
}
void powers(Call& c) {
  Tensor x = c.tensor(arg::x), out = c.out();
  if (core::is_complex(out.dtype())) return run_powers<Complex<double>>(c, x, out);
  if (core::is_floating(out.dtype())) return run_powers<double>(c, x, out);
  run_powers<int64_t>(c, x, out);
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
    {"aten::eye", fill_result<eye>},
    {"aten::eye.m", fill_result<eye>},
    {"aten::eye.out", into_out<eye>},
    {"aten::eye.m_out", into_out<eye>},
    {"aten::complex", fill_result<complex_from_parts>},
};

}  // namespace

std::span<const ops::Kernel> creation_kernels() { return creation_table; }

}  // namespace assay::kernels::cuda
