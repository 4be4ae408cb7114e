// The largest and smallest elements over dimensions, and where they are.

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

/// The first of the largest (smallest) elements; the first NaN, if there is one.
template <typename T, typename C>
struct Extreme {
  struct Acc {
    C value;
    int64_t index;  ///< -1: none yet.
  };
  static constexpr int at_once = std::is_void_v<T> ? 1 : 4;

  Reduced<2> rows;  ///< Values and indices; both are the same tensor where one
                    ///< is not asked for.
  Reader<T, C> read;
  bool largest, with_value, with_index;

  bool neighbours_are_rows() const { return rows.across; }
  ASSAY_ANYWHERE Acc start() const { return {C(0), -1}; }
  ASSAY_ANYWHERE const std::byte* begin(int64_t row) const { return rows.begin(row); }
  ASSAY_ANYWHERE Acc load(const std::byte* row, int64_t i) const {
    return {read(rows.at(row, i)), i};
  }
  ASSAY_ANYWHERE Acc join(Acc a, Acc b) const {
    if (a.index < 0) return b;
    if (b.index < 0) return a;
    bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    bool equal = a.value == b.value || (a_is_nan && b_is_nan);
    if (equal) return a.index < b.index ? a : b;
    if (a_is_nan || b_is_nan) return a_is_nan ? a : b;
    return (a.value > b.value) == largest ? a : b;
  }
  ASSAY_ANYWHERE void finish(int64_t row, Acc total) const {
    if (with_value) rows.write(0, row, total.value);
    if (with_index) rows.write(1, row, total.index);
  }
};

template <typename T, typename C>
void reduce_as(Call& c, const Reduced<2>& rows, bool largest, bool with_value, bool with_index) {
  Extreme<T, C> extreme{rows, {rows.dtype, rows.dtype}, largest, with_value, with_index};
  reduce(c, queue_of(c), rows.rows, rows.length, extreme);
}

/// An undefined tensor is not asked for.
void find(Call& c, bool largest, const Tensor& values, const Tensor& indices) {
  auto reduced = ops::infer::reduction_of(c).reduced;
  auto rows = Reduced<2>::of(c.tensor(arg::self), reduced,
                             {values ? values : indices, indices ? indices : values}, true);
  switch (rows.dtype) {
    case DType::float32:
      return reduce_as<float, float>(c, rows, largest, values.defined(), indices.defined());
    case DType::float16:
      return reduce_as<core::Half, float>(c, rows, largest, values.defined(), indices.defined());
    case DType::bfloat16:
      return reduce_as<core::BFloat16, float>(c, rows, largest, values.defined(),
                                              indices.defined());
    case DType::float64:
      return reduce_as<double, double>(c, rows, largest, values.defined(), indices.defined());
    default:
      return reduce_as<void, int64_t>(c, rows, largest, values.defined(), indices.defined());
  }
}

template <bool largest>
void value(Call& c) {
  find(c, largest, c.out(), {});
}
template <bool largest>
void place(Call& c) {
  find(c, largest, {}, c.out());
}
template <bool largest>
void value_and_place(Call& c) {
  find(c, largest, c.out(0), c.out(1));
}
void both_values(Call& c) {
  find(c, false, c.out(0), {});
  find(c, true, c.out(1), {});
}

constexpr ops::Kernel reduction_extremes_table[] = {
    {"aten::amax", value<true>},
    {"aten::amin", value<false>},
    {"aten::max", value<true>},
    {"aten::min", value<false>},
    {"aten::aminmax", both_values},
    {"aten::_aminmax", both_values},
    {"aten::_aminmax.dim", both_values},
    {"aten::argmax", place<true>},
    {"aten::argmin", place<false>},
    {"aten::max.dim", value_and_place<true>},
    {"aten::min.dim", value_and_place<false>},
};

}  // namespace

std::span<const ops::Kernel> extreme_kernels() { return reduction_extremes_table; }

}  // namespace assay::kernels::cuda
