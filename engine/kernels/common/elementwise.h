#pragma once

#include <array>
#include <string>

#include "engine/core/tensor.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

// What pointwise kernels of all devices share: which element types an operator takes, and in which
// it computes. `On` is where they run: a class with
//   template <unsigned kinds, size_t N, typename F>
//   static void compute_over(ops::Call&, const core::Tensor& out, core::DType common,
//                            const std::array<core::Tensor, N>& in, F f);
// which sets out[i] = f(in[i]...) for operands cast to `common`.
namespace assay::kernels::common {

/// Which element types an operator takes, as a set. PyTorch's CPU kernels lack the 16-bit types of
/// some operators that its GPU kernels have; `no_half` and `no_bfloat` are refused on CPU only.
enum Kinds : unsigned {
  bools = 1,
  ints = 2,
  floats = 4,
  complexes = 8,
  no_half = 16,
  no_bfloat = 32
};
inline constexpr unsigned reals = bools | ints | floats;
inline constexpr unsigned numbers = ints | floats | complexes;
inline constexpr unsigned all_kinds = bools | numbers;

inline unsigned kind_of(core::DType dtype) {
  return dtype == core::DType::boolean ? bools
         : core::is_complex(dtype)     ? complexes
         : core::is_floating(dtype)    ? floats
                                       : ints;
}

/// "add" of aten::add.Tensor, as PyTorch's messages name its kernels: "add_cpu", "add_cuda".
inline std::string kernel_name(const ops::Call& c) {
  bool gpu = c.device().type == core::DeviceType::cuda;
  return std::string(c.op.symbol.name()) + (gpu ? "_cuda" : "_cpu");
}

/// Raises PyTorch's "not implemented for" where the type is not of `kinds`.
inline void check_kind(const ops::Call& c, core::DType common, unsigned kinds) {
  bool cpu = c.device().type == core::DeviceType::cpu;
  bool lacking = cpu && (((kinds & no_half) != 0 && common == core::DType::float16) ||
                         ((kinds & no_bfloat) != 0 && common == core::DType::bfloat16));
  if ((kind_of(common) & kinds) == 0 || lacking)
    not_implemented_for(common, kernel_name(c).c_str());
}

/// The first N arguments, which are tensors.
template <size_t N>
std::array<core::Tensor, N> operands_of(const ops::Call& c) {
  std::array<core::Tensor, N> in;
  for (size_t i = 0; i < N; ++i) in[i] = c.args[i].to_tensor();
  return in;
}

/// The type that the operands are promoted to.
template <size_t N>
core::DType common_dtype(const ops::Call& c, const std::array<core::Tensor, N>& in) {
  return ops::result_type(in, c.context.default_dtype);
}

/// A kernel over the first N arguments in their promoted type.
template <class On, size_t N, unsigned kinds, typename F>
void elementwise(ops::Call& c) {
  auto in = operands_of<N>(c);
  On::template compute_over<kinds>(c, c.out(), common_dtype(c, in), in, F{});
}

/// As elementwise, with integers as the default float type.
template <class On, size_t N, unsigned kinds, typename F>
void elementwise_float(ops::Call& c) {
  auto in = operands_of<N>(c);
  core::DType common = common_dtype(c, in);
  if (core::is_integral(common, true)) common = c.context.default_dtype;
  On::template compute_over<kinds>(c, c.out(), common, in, F{});
}

}  // namespace assay::kernels::common
