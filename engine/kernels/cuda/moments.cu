// Variances and deviations over dimensions, with and without the means.

#include <cmath>

#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
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

/// What squared distances from the mean come to.
struct Moment {
  double correction;
  bool root;

  ASSAY_ANYWHERE double of(double squares, int64_t length) const {
    using std::sqrt;
    double divisor = static_cast<double>(length) - correction;
    double variance = squares / (divisor > 0 ? divisor : 0.0);
    return root ? sqrt(variance) : variance;
  }
};

/// Elements of up to 32 bits, in one pass: sums of distances from the first element and of their
/// squares, in double. The first element's own share of the variance bounds what is cancelled, to
/// as many units in double's last place as there are elements.
template <typename T, size_t results>
struct ShiftedMoments {
  struct Acc {
    double sum, squares;
  };
  struct Row {
    const std::byte* from;
    double shift;
  };
  Reduced<results> rows;
  Moment moment;

  bool neighbours_are_rows() const { return rows.across; }
  ASSAY_ANYWHERE double read(const std::byte* row, int64_t i) const {
    return convert<double>(*reinterpret_cast<const T*>(rows.at(row, i)));
  }
  ASSAY_ANYWHERE double shift(const std::byte* row) const {
    double first = rows.length > 0 ? read(row, 0) : 0;
    return first - first == 0 ? first : 0;
  }
  ASSAY_ANYWHERE Acc start() const { return {0, 0}; }
  ASSAY_ANYWHERE Row begin(int64_t row) const {
    const std::byte* from = rows.begin(row);
    return {from, shift(from)};
  }
  ASSAY_ANYWHERE Acc load(Row row, int64_t i) const {
    double distance = read(row.from, i) - row.shift;
    return {distance, distance * distance};
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const { return {a.sum + b.sum, a.squares + b.squares}; }
  ASSAY_ANYWHERE void finish(int64_t row, Acc total) const {
    auto n = static_cast<double>(rows.length);
    double squares = rows.length > 0 ? total.squares - total.sum * (total.sum / n) : 0;
    rows.write(0, row, moment.of(squares < 0 ? 0 : squares, rows.length));
    if constexpr (results == 2) rows.write(1, row, shift(rows.begin(row)) + total.sum / n);
  }
};

/// The mean of each row, as a number of its own.
template <typename C>
struct MeanOfRow {
  static constexpr int at_once = 1;
  Reduced<1> rows;

  bool neighbours_are_rows() const { return rows.across; }
  ASSAY_ANYWHERE C start() const { return C(0); }
  ASSAY_ANYWHERE C load(int64_t row, int64_t i) const {
    return cuda::load<C>(rows.at(row, i), rows.dtype);
  }
  ASSAY_ANYWHERE C join(C a, C b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t row, C total) const {
    auto n = static_cast<double>(rows.length);
    if constexpr (is_complex_type<C>)
      rows.write(0, row, C(total.real() / n, total.imag() / n));
    else
      rows.write(0, row, total / n);
  }
};

/// Squared distances from means that are known.
template <typename C>
struct SquaresOfRow {
  static constexpr int at_once = 1;
  Reduced<2> rows;  ///< The second result is the mean.
  Moment moment;

  bool neighbours_are_rows() const { return rows.across; }
  ASSAY_ANYWHERE double start() const { return 0; }
  ASSAY_ANYWHERE double load(int64_t row, int64_t i) const {
    const std::byte* mean = rows.out[1] + rows.kept.offsets(row).of[2];
    C distance = cuda::load<C>(rows.at(row, i), rows.dtype) - *reinterpret_cast<const C*>(mean);
    if constexpr (is_complex_type<C>)
      return distance.real() * distance.real() + distance.imag() * distance.imag();
    else
      return distance * distance;
  }
  ASSAY_ANYWHERE double join(double a, double b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t row, double total) const {
    rows.write(0, row, moment.of(total, rows.length));
  }
};

/// float64 and complex elements: the means first.
template <typename C>
void in_two_passes(Call& c, const std::vector<bool>& reduced, Moment moment, bool with_mean) {
  Tensor in = c.tensor(arg::self);
  DType wide = is_complex_type<C> ? DType::complex128 : DType::float64;
  Tensor means = Tensor::empty(c.out().sizes(), wide, c.device());
  Queue queue = queue_of(c);
  auto first = Reduced<1>::of(in, reduced, {means});
  reduce(c, queue, first.rows, first.length, MeanOfRow<C>{first});
  auto second = Reduced<2>::of(in, reduced, {c.out(), means});
  reduce(c, queue, second.rows, second.length, SquaresOfRow<C>{second, moment});
  if (!with_mean) return;
  copy_elements(c, c.out(1), means);
}

template <typename T>
void in_one_pass(Call& c, const std::vector<bool>& reduced, Moment moment, bool with_mean) {
  Tensor in = c.tensor(arg::self);
  if (with_mean) {
    auto rows = Reduced<2>::of(in, reduced, {c.out(0), c.out(1)});
    return reduce(c, queue_of(c), rows.rows, rows.length, ShiftedMoments<T, 2>{rows, moment});
  }
  auto rows = Reduced<1>::of(in, reduced, {c.out()});
  reduce(c, queue_of(c), rows.rows, rows.length, ShiftedMoments<T, 1>{rows, moment});
}

template <bool root, bool with_mean>
void moment(Call& c) {
  Moment moment{static_cast<double>(c.integer_or(arg::correction, 1)), root};
  auto reduced = ops::infer::reduction_of(c).reduced;
  switch (c.tensor(arg::self).dtype()) {
    case DType::float32:
      return in_one_pass<float>(c, reduced, moment, with_mean);
    case DType::float16:
      return in_one_pass<core::Half>(c, reduced, moment, with_mean);
    case DType::bfloat16:
      return in_one_pass<core::BFloat16>(c, reduced, moment, with_mean);
    case DType::float64:
      return in_two_passes<double>(c, reduced, moment, with_mean);
    default:
      return in_two_passes<Complex<double>>(c, reduced, moment, with_mean);
  }
}

constexpr ops::Kernel moments_table[] = {
    {"aten::std.correction", moment<true, false>},
    {"aten::var.correction", moment<false, false>},
    {"aten::std_mean.correction", moment<true, true>},
    {"aten::var_mean.correction", moment<false, true>},
};

}  // namespace

std::span<const ops::Kernel> moment_kernels() { return moments_table; }

}  // namespace assay::kernels::cuda
