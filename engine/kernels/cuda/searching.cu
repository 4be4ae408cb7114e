// How many of sorted boundaries lie before values.

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/ops/promotion.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// Boundaries are row-major; values and results have steps of their own. NaN
/// sorts last.
template <typename C>
struct SearchBody {
  Operand boundaries, values;
  const int64_t* order;  ///< Null where the boundaries are in order.
  int64_t row;           ///< Boundaries in a row.
  int64_t per_row;       ///< Values for a row; 0: there is one row for all.
  int64_t item;          ///< Bytes of a boundary.
  bool right;            ///< Boundaries that are level with the value are before it.
  DType common, out_dtype;
  std::byte* out;
  Layout<2> layout;
  Reporter report;

  ASSAY_ANYWHERE C read(const Operand& from, int64_t offset) const {
    C value = load<C>(from.at(offset), from.dtype);
    return from.dtype == common ? value : rounded_to<C>(common, value);
  }
  ASSAY_ANYWHERE bool find(int64_t start, C value, int64_t& found) const {
    int64_t low = 0, high = row;
    while (low < high) {
      int64_t middle = low + (high - low) / 2, at = middle;
      if (order) at = order[start + middle];
      if (order && !report.within(at, row)) return false;
      C boundary = read(boundaries, (start + at) * item);
      bool goes_right = right ? !(boundary > value) : !(boundary >= value);
      (goes_right ? low : high) = goes_right ? middle + 1 : middle;
    }
    found = low;
    return true;
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    int64_t start = per_row > 0 ? i / per_row * row : 0, found = 0;
    if (find(start, read(values, at.of[1]), found)) store(out + at.of[0], out_dtype, found);
  }
};

struct CheckOrder {
  const int64_t* order;
  int64_t row;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const { report.within(order[i], row); }
};

template <typename C>
void run_search(const Call& c, const Tensor& boundaries, const Tensor& values, const Tensor& order,
                DType common, bool right) {
  Tensor out = c.out();
  Queue queue = queue_of(c);
  SearchBody<C> body{Operand(boundaries),
                     Operand(values),
                     order ? order.device_data<int64_t>() : nullptr,
                     boundaries.sizes().back(),
                     boundaries.dim() == 1 ? 0 : values.sizes().back(),
                     static_cast<int64_t>(boundaries.item_size()),
                     right,
                     common,
                     out.dtype(),
                     out.device_address(),
                     Layout<2>::of(out.sizes(), {out, values}, true),
                     queue.report};
  if (order) for_each(queue, order.numel(), CheckOrder{body.order, body.row, queue.report});
  for_each(queue, body.layout.count, body);
}

/// One row of boundaries for all values, or a row for each row of values.
void search(const Call& c, const Tensor& given_boundaries, const core::Value& values,
            const Tensor& given_order, bool right) {
  bool number = !values.is_tensor();
  Tensor wanted =
      number ? ops::wrapped_number(values.to_scalar(), DType::float64) : values.to_tensor();
  DType dtype = given_boundaries.dtype();
  if (!number) dtype = core::promote(dtype, wanted.dtype());
  if (number && !values.is_int() && core::is_integral(dtype, true)) dtype = DType::float64;
  if (core::is_complex(dtype)) common::not_implemented_for(dtype, "searchsorted");
  Tensor boundaries = given_boundaries;
  if (boundaries.device() == c.device()) boundaries = contiguous(c, boundaries);
  Tensor order = given_order ? contiguous(c, given_order) : Tensor();
  if (core::is_integral(dtype, true))
    return run_search<int64_t>(c, boundaries, wanted, order, dtype, right);
  if (dtype == DType::float64)
    return run_search<double>(c, boundaries, wanted, order, dtype, right);
  run_search<float>(c, boundaries, wanted, order, dtype, right);
}
void bucketize(Call& c) {
  search(c, c.tensor(arg::boundaries), c.value(arg::self), {}, c.boolean(arg::right));
}
void searchsorted(Call& c) {
  bool right = c.boolean(arg::right) || (!c.is_none(arg::side) && c.string(arg::side) == "right");
  search(c, c.tensor(arg::sorted_sequence), c.value(arg::self), c.tensor(arg::sorter), right);
}

constexpr ops::Kernel search_table[] = {
    {"aten::bucketize.Tensor", bucketize},
    {"aten::bucketize.Scalar", bucketize},
    {"aten::searchsorted.Tensor", searchsorted},
    {"aten::searchsorted.Scalar", searchsorted},
};

}  // namespace

std::span<const ops::Kernel> search_kernels() { return search_table; }

}  // namespace assay::kernels::cuda
