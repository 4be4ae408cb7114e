// What NVIDIA's libraries do for the kernels of assay, where there is no GPU: as BLAS defines it,
// element by element.

#include <algorithm>

#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/gemm.h"

namespace assay::kernels::cuda {
namespace {

using ops::Call;

/// An element of op(matrix), which lies column after column.
template <typename W, typename T>
W element(const std::byte* matrix, const BlasOperand& how, int64_t row, int64_t column) {
  if (how.transposed) std::swap(row, column);
  return common::cast<W>(reinterpret_cast<const T*>(matrix)[row + column * how.leading]);
}

template <typename W>
W times(W a, W b) {
  if constexpr (common::is_complex_type<W>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return a * b;
  }
}

template <typename T>
void multiply(const Gemm& g, const std::byte* first, const std::byte* second, std::byte* to,
              const std::byte* bias, bool scaled) {
  using W = common::Wide<T>;
  const ProductPlan& p = g.plan;
  W alpha = g.alpha.to<W>(), beta = g.beta.to<W>();
  for (int64_t j = 0; j < p.n; ++j) {
    for (int64_t i = 0; i < p.m; ++i) {
      W sum{};
      for (int64_t k = 0; k < p.k; ++k) {
        sum += times(element<W, T>(first, p.first, i, k), element<W, T>(second, p.second, k, j));
      }
      T& out = reinterpret_cast<T*>(to)[i + j * p.leading];
      // BLAS forms no product that counts for nothing, so that no NaN comes of it.
      if (scaled) sum = alpha == W{} ? W{} : times(alpha, sum);
      if (beta != W{}) sum += times(beta, common::cast<W>(out));
      if (bias) sum += common::cast<W>(reinterpret_cast<const T*>(bias)[i]);
      out = common::cast<T>(sum);
    }
  }
}

/// What the libraries refuse.
void check_arguments(const Gemm& g) {
  const ProductPlan& p = g.plan;
  bool sizes = p.m > 0 && p.n > 0 && p.k > 0 && g.batches > 0;
  bool first = p.first.leading >= (p.first.transposed ? p.k : p.m),
       second = p.second.leading >= (p.second.transposed ? p.n : p.k);
  base::invariant(sizes && first && second && p.leading >= p.m, "BLAS refuses these arguments");
}

template <typename T>
void multiply_batch(const Gemm& g, const std::byte* bias, bool scaled) {
  auto item = static_cast<int64_t>(sizeof(T));
  for (int64_t i = 0; i < g.batches; ++i) {
    const std::byte* first = g.first + i * g.first_step * item;
    const std::byte* second = g.second + i * g.second_step * item;
    std::byte* out = g.out + i * g.out_step * item;
    if (g.addresses) {
      first = g.addresses[i];
      second = g.addresses[g.batches + i];
      out = const_cast<std::byte*>(g.addresses[2 * g.batches + i]);
    }
    multiply<T>(g, first, second, out, bias, scaled);
  }
}

/// Infinite complex numbers show whether the operator has a factor.
void run(const Call& call, const Gemm& gemm, const std::byte* bias) {
  bool scaled = call.op.has(ops::arg::alpha) || gemm.alpha.to_complex() != 1.0;
  check_arguments(gemm);
  common::over_all(gemm.dtype, "gemm", [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!common::is_integer_type<T>) multiply_batch<T>(gemm, bias, scaled);
  });
}

}  // namespace

void run_gemm(const Call& call, const Gemm& gemm) { run(call, gemm, nullptr); }

bool run_gemm_with_bias(const Call& call, const Gemm& gemm, const std::byte* bias) {
  if (gemm.plan.k % 2 == 0) return false;
  run(call, gemm, bias);
  return true;
}

}  // namespace assay::kernels::cuda
