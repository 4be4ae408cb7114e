// Sums, products, means, moments, norms and counts over dimensions.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/log_sum.h"
#include "engine/kernels/cuda/norm.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/rows.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/reduction.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// a * b as a BLAS multiplies: C++'s operator would recover infinities from NaN.
template <typename C>
ASSAY_ANYWHERE C product(C a, C b) {
  if constexpr (is_complex_type<C>)
    return C(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  else
    return a * b;
}

// What is joined: element(v) begins with one element, result(total, length) ends with all.

template <typename C>
struct Sum {
  using Acc = C;
  ASSAY_ANYWHERE Acc start() const { return C(0); }
  ASSAY_ANYWHERE Acc element(C v) const { return v; }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const { return a + b; }
  ASSAY_ANYWHERE C result(Acc total, int64_t) const { return total; }
};

template <typename C>
struct NanSum : Sum<C> {
  ASSAY_ANYWHERE C element(C v) const { return v == v ? v : C(0); }
};

template <typename C>
struct Mean : Sum<C> {
  ASSAY_ANYWHERE C result(C total, int64_t length) const {
    if constexpr (is_complex_type<C>) {
      auto n = static_cast<typename C::value_type>(length);
      return C(total.real() / n, total.imag() / n);
    } else {
      return total / static_cast<C>(length);
    }
  }
};

template <typename C>
struct Product {
  using Acc = C;
  ASSAY_ANYWHERE Acc start() const { return C(1); }
  ASSAY_ANYWHERE Acc element(C v) const { return v; }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const { return product(a, b); }
  ASSAY_ANYWHERE C result(Acc total, int64_t) const { return total; }
};

/// How many elements are not zero, or what that says of all.
enum class Count { number, any, all };
struct Counted {
  using Acc = int64_t;
  Count as = Count::number;
  ASSAY_ANYWHERE Acc start() const { return 0; }
  ASSAY_ANYWHERE Acc element(core::Bool v) const { return v.bits; }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const { return a + b; }
  ASSAY_ANYWHERE int64_t result(Acc total, int64_t length) const {
    if (as == Count::any) return total > 0;
    if (as == Count::all) return total == length;
    return total;
  }
};

/// log(sum(exp(x))).
template <typename C>
struct LogSumExp {
  using Acc = LogSum<C>;
  ASSAY_ANYWHERE Acc start() const { return Acc::of_nothing(); }
  ASSAY_ANYWHERE Acc element(C v) const { return Acc::of(v); }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const { return Acc::joined(a, b); }
  ASSAY_ANYWHERE C result(Acc total, int64_t) const {
    using std::log;
    return total.largest + log(total.sum);
  }
};

template <typename C>
struct NormOf {
  using Acc = double;
  Norm norm;

  ASSAY_ANYWHERE Acc start() const { return norm.start(); }
  ASSAY_ANYWHERE Acc element(C v) const {
    using std::abs;
    return norm.part(abs(v));
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const { return norm.join(a, b); }
  ASSAY_ANYWHERE double result(Acc total, int64_t) const { return norm.end(total); }
};

template <typename Op, typename T, typename C>
struct RowReduction {
  using Acc = typename Op::Acc;
  static constexpr int at_once = std::is_void_v<T> ? 1 : 4;
  Reduced<1> rows;
  Reader<T, C> read;
  Op op;

  bool neighbours_are_rows() const { return rows.across; }
  ASSAY_ANYWHERE Acc start() const { return op.start(); }
  ASSAY_ANYWHERE const std::byte* begin(int64_t row) const { return rows.begin(row); }
  ASSAY_ANYWHERE Acc load(const std::byte* row, int64_t i) const {
    return op.element(read(rows.at(row, i)));
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const { return op.join(a, b); }
  ASSAY_ANYWHERE void finish(int64_t row, Acc total) const {
    rows.write(0, row, op.result(total, rows.length));
  }
};

/// Elements of stored type T (void: of any) are cast to `as` and computed with as C.
template <typename T, typename C, typename Op>
void reduce_as(Call& c, const Reduced<1>& rows, DType as, Op op) {
  reduce(c, queue_of(c), rows.rows, rows.length,
         RowReduction<Op, T, C>{rows, {rows.dtype, as}, op});
}

Reduced<1> rows_of(Call& c) {
  return Reduced<1>::of(c.tensor(arg::self), ops::infer::reduction_of(c).reduced, {c.out()});
}

/// The hot types, which are read as what they are.
template <template <typename> class Op>
void reduce_float(Call& c, const Reduced<1>& rows, DType as) {
  if (rows.dtype != as) return reduce_as<void, double>(c, rows, as, Op<double>{});
  switch (as) {
    case DType::float32:
      return reduce_as<float, float>(c, rows, as, Op<float>{});
    case DType::float16:
      return reduce_as<core::Half, float>(c, rows, as, Op<float>{});
    default:
      return reduce_as<core::BFloat16, float>(c, rows, as, Op<float>{});
  }
}

/// A sum in float, in double for float64, in int64 for integers.
template <template <typename> class Op>
void reduce_real(Call& c, const Reduced<1>& rows, DType as) {
  if (core::is_integral(as, true)) return reduce_as<void, int64_t>(c, rows, as, Op<int64_t>{});
  if (as == DType::float64) return reduce_as<void, double>(c, rows, as, Op<double>{});
  reduce_float<Op>(c, rows, as);
}

template <template <typename> class Op>
void reduce_number(Call& c, const Reduced<1>& rows, DType as) {
  using Wide = Complex<double>;
  if (core::is_complex(as)) return reduce_as<void, Wide>(c, rows, as, Op<Wide>{});
  reduce_real<Op>(c, rows, as);
}

void sum(Call& c) { reduce_number<Sum>(c, rows_of(c), c.out().dtype()); }

void nansum(Call& c) {
  base::check(!core::is_complex(c.tensor(arg::self).dtype()),
              "nansum does not support complex inputs");
  bool rounds =
      core::is_floating(c.tensor(arg::self).dtype()) && core::is_integral(c.out().dtype(), true);
  if (rounds) common::not_implemented_for(c.out().dtype(), "nansum_cuda");
  reduce_number<NanSum>(c, rows_of(c), c.out().dtype());
}

/// Products leave float's range on the way to one within it.
void prod(Call& c) {
  DType as = c.out().dtype();
  Reduced<1> rows = rows_of(c);
  using Wide = Complex<double>;
  if (core::is_complex(as)) return reduce_as<void, Wide>(c, rows, as, Product<Wide>{});
  if (core::is_floating(as)) return reduce_as<void, double>(c, rows, as, Product<double>{});
  reduce_as<void, int64_t>(c, rows, as, Product<int64_t>{});
}

void mean(Call& c) {
  DType as = c.out().dtype();
  using Wide = Complex<double>;
  if (core::is_complex(as)) return reduce_as<void, Wide>(c, rows_of(c), as, Mean<Wide>{});
  if (as == DType::float64) return reduce_as<void, double>(c, rows_of(c), as, Mean<double>{});
  reduce_float<Mean>(c, rows_of(c), as);
}

void norm(Call& c) {
  Tensor in = c.tensor(arg::self);
  const core::Value& order = c.value(c.has(arg::p) ? arg::p : arg::ord);
  double p = order.is_none() ? 2.0 : order.to_scalar().to_double();
  DType as = c.has(arg::dtype) ? c.dtype_or(arg::dtype, in.dtype()) : in.dtype();
  Reduced<1> rows = rows_of(c);
  bool empty = in.numel() == 0 && (p < 0 || std::isinf(p));
  base::check(!empty || c.out().numel() == 0, "linalg.vector_norm cannot compute the ", p,
              " norm on an empty tensor because the operation does not have an "
              "identity");
  using Wide = Complex<double>;
  if (core::is_complex(as)) return reduce_as<void, Wide>(c, rows, as, NormOf<Wide>{Norm(p)});
  reduce_as<void, double>(c, rows, as, NormOf<double>{Norm(p)});
}

void logsumexp(Call& c) {
  DType as = c.out().dtype();
  base::check(!core::is_complex(as), "logsumexp does not support complex inputs");
  bool in_float = as != DType::float64 && c.tensor(arg::self).dtype() == as;
  if (!in_float) return reduce_as<void, double>(c, rows_of(c), as, LogSumExp<double>{});
  reduce_as<void, float>(c, rows_of(c), as, LogSumExp<float>{});
}

void trace(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t n = std::min(in.size(0), in.size(1));
  Tensor diagonal = in.view(core::Dims{n}, core::Dims{in.stride(0) + in.stride(1)}, in.offset());
  reduce_number<Sum>(c, Reduced<1>::of(diagonal, {true}, {c.out()}), c.out().dtype());
}

template <Count as>
void count(Call& c) {
  Reduced<1> rows = rows_of(c);
  reduce_as<void, core::Bool>(c, rows, rows.dtype, Counted{as});
}

constexpr ops::Kernel reduction_sums_table[] = {
    {"aten::sum", sum},
    {"aten::sum.dim_IntList", sum},
    {"aten::nansum", nansum},
    {"aten::prod", prod},
    {"aten::prod.dim_int", prod},
    {"aten::mean", mean},
    {"aten::mean.dim", mean},
    {"aten::norm.Scalar", norm},
    {"aten::norm.ScalarOpt_dim", norm},
    {"aten::norm.ScalarOpt_dim_dtype", norm},
    {"aten::norm.ScalarOpt_dtype", norm},
    {"aten::linalg_vector_norm", norm},
    {"aten::logsumexp", logsumexp},
    {"aten::trace", trace},
    {"aten::count_nonzero", count<Count::number>},
    {"aten::count_nonzero.dim_IntList", count<Count::number>},
    {"aten::any", count<Count::any>},
    {"aten::any.dim", count<Count::any>},
    {"aten::all", count<Count::all>},
    {"aten::all.dim", count<Count::all>},
};

}  // namespace

std::span<const ops::Kernel> sum_kernels() { return reduction_sums_table; }

}  // namespace assay::kernels::cuda
