// Running sums, products and extremes along a dimension.

#include <cmath>
#include <limits>

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elementwise.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/rows.h"
#include "engine/kernels/cuda/scan.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

int64_t dim_of(const Call& c) {
  Tensor in = c.tensor(arg::self);
  return in.dim() == 0 ? 0 : core::wrap_dim(c.integer(arg::dim), in.dim());
}

enum class Joins { sum, product, log_of_sum };

/// Running numbers of type C, of elements of stored type T (void: of any type).
template <Joins joins, typename T, typename C>
struct Running {
  static constexpr int at_once = std::is_void_v<T> ? 1 : 4;
  Lines<2> lines;
  Reader<T, C> read;

  bool neighbours_are_rows() const { return lines.across; }
  ASSAY_ANYWHERE C start() const {
    if constexpr (joins == Joins::log_of_sum)
      return -std::numeric_limits<C>::infinity();
    else
      return C(joins == Joins::product ? 1 : 0);
  }
  ASSAY_ANYWHERE C load(int64_t row, int64_t i) const { return read(lines.at(row, i)); }
  ASSAY_ANYWHERE C join(C a, C b) const {
    if constexpr (joins == Joins::sum) return a + b;
    if constexpr (joins == Joins::product) return product(a, b);
    if constexpr (joins == Joins::log_of_sum) return log_of_sum(a, b);
  }
  ASSAY_ANYWHERE void finish(int64_t, C) const {}  // All is stored on the way.
  ASSAY_ANYWHERE void store(int64_t row, int64_t i, C running) const {
    cuda::store(lines.at(1, lines.kept.offsets(row), i), lines.dtype[1], running);
  }

 private:
  /// As a BLAS multiplies: C++'s operator would recover infinities from NaN.
  ASSAY_ANYWHERE static C product(C a, C b) {
    if constexpr (is_complex_type<C>)
      return C(a.real() * b.real() - a.imag() * b.imag(),
               a.real() * b.imag() + a.imag() * b.real());
    else
      return a * b;
  }
  ASSAY_ANYWHERE static C log_of_sum(C a, C b) {
    using std::exp;
    using std::log1p;
    if (a != a || b != b) return a + b;
    C high = a > b ? a : b, low = a > b ? b : a;
    return high == low && high - high != 0 ? high : high + log1p(exp(low - high));
  }
};

template <Joins joins, typename T, typename C>
void run(Call& c, DType as) {
  auto lines = Lines<2>::of({c.tensor(arg::self), c.out()}, dim_of(c));
  Running<joins, T, C> running{lines, {lines.dtype[0], as}};
  scan_rows(c, queue_of(c), lines.rows, lines.length, running);
}

void cumsum(Call& c) {
  DType as = c.out().dtype(), from = c.tensor(arg::self).dtype();
  if (core::is_complex(as)) return run<Joins::sum, void, Complex<double>>(c, as);
  if (core::is_integral(as, true)) return run<Joins::sum, void, int64_t>(c, as);
  if (as == DType::float32 && from == as) return run<Joins::sum, float, float>(c, as);
  run<Joins::sum, void, double>(c, as);
}

/// Products leave float's range on the way to one within it.
void cumprod(Call& c) {
  DType as = c.out().dtype();
  if (core::is_complex(as)) return run<Joins::product, void, Complex<double>>(c, as);
  if (core::is_integral(as, true)) return run<Joins::product, void, int64_t>(c, as);
  run<Joins::product, void, double>(c, as);
}

void logcumsumexp(Call& c) {
  DType as = c.tensor(arg::self).dtype();
  if (!core::is_floating(as)) common::not_implemented_for(as, "logcumsumexp_out_cuda");
  run<Joins::log_of_sum, void, double>(c, as);
}

/// The running extreme and its last index; NaN stays once it was seen.
template <typename C>
struct RunningExtreme {
  struct Acc {
    C value;
    int64_t index;  ///< -1: none yet.
  };
  static constexpr int at_once = 1;
  Lines<3> lines;  ///< The input, values and indices.
  bool largest;

  bool neighbours_are_rows() const { return lines.across; }
  ASSAY_ANYWHERE Acc start() const { return {C(0), -1}; }
  ASSAY_ANYWHERE Acc load(int64_t row, int64_t i) const {
    return {cuda::load<C>(lines.at(row, i), lines.dtype[0]), i};
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const {
    if (a.index < 0) return b;
    if (b.index < 0) return a;
    bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    if (a.value == b.value || (a_is_nan && b_is_nan)) return a.index > b.index ? a : b;
    if (a_is_nan || b_is_nan) return a_is_nan ? a : b;
    return (a.value > b.value) == largest ? a : b;
  }
  ASSAY_ANYWHERE void finish(int64_t, Acc) const {}  // All is stored on the way.
  ASSAY_ANYWHERE void store(int64_t row, int64_t i, Acc running) const {
    Offsets<3> at = lines.kept.offsets(row);
    cuda::store(lines.at(1, at, i), lines.dtype[1], running.value);
    *reinterpret_cast<int64_t*>(lines.at(2, at, i)) = running.index;
  }
};

template <typename C>
void run_extreme(Call& c, bool largest) {
  auto lines = Lines<3>::of({c.tensor(arg::self), c.out(0), c.out(1)}, dim_of(c));
  scan_rows(c, queue_of(c), lines.rows, lines.length, RunningExtreme<C>{lines, largest});
}

template <bool largest>
void cumulate_extreme(Call& c) {
  DType dtype = c.tensor(arg::self).dtype();
  if (core::is_complex(dtype)) common::not_implemented_for(dtype, common::kernel_name(c).c_str());
  if (!core::is_floating(dtype)) return run_extreme<int64_t>(c, largest);
  dtype == DType::float64 ? run_extreme<double>(c, largest) : run_extreme<float>(c, largest);
}

constexpr ops::Kernel scans_table[] = {
    {"aten::cumsum", cumsum},
    {"aten::cumprod", cumprod},
    {"aten::logcumsumexp", logcumsumexp},
    {"aten::cummax", cumulate_extreme<true>},
    {"aten::cummin", cumulate_extreme<false>},
};

}  // namespace

std::span<const ops::Kernel> scan_kernels() { return scans_table; }

}  // namespace assay::kernels::cuda
