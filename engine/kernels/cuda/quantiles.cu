// Quantiles, between two elements of a sorted row.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/rounding.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// How a quantile between two elements is made of them.
enum class Between : uint8_t { linear, lower, higher, midpoint, nearest };

Between between_of(const std::string& name) {
  const char* known[] = {"linear", "lower", "higher", "midpoint", "nearest"};
  for (size_t i = 0; i < 5; ++i) {
    if (name == known[i]) return static_cast<Between>(i);
  }
  base::fail(
      "quantile() interpolation must be one of linear, lower, higher, "
      "midpoint or nearest, "
      "but got ",
      name);
}

/// One quantile of one row, whose NaN stand last.
template <typename T>
struct QuantileBody {
  const T* sorted;
  int64_t rows, length;
  Operand q;
  int64_t q_step;
  Between how;
  bool ignore_nan;
  T* out;
  Reporter report;

  ASSAY_ANYWHERE int64_t count_numbers(const T* row) const {
    int64_t low = 0, high = length;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      bool is_nan = row[middle] != row[middle];
      (is_nan ? high : low) = is_nan ? middle : middle + 1;
    }
    return low;
  }
  ASSAY_ANYWHERE double pick(const T* row, int64_t count, double at) const {
    using std::nearbyint;
    double rank = product(at, static_cast<double>(count - 1));
    auto below = static_cast<int64_t>(rank);
    int64_t above = below + 1 < count ? below + 1 : count - 1;
    double weight = rank - static_cast<double>(below);
    auto low = static_cast<double>(row[below]), high = static_cast<double>(row[above]);
    switch (how) {
      case Between::nearest:
        return static_cast<double>(row[static_cast<int64_t>(nearbyint(rank))]);
      case Between::lower:
        return low;
      case Between::higher:
        return weight > 0 ? high : low;
      case Between::midpoint:
        return weight > 0 ? (low + high) / 2 : low;
      default:
        return weight < 0.5 ? low + product(weight, high - low)
                            : high - product(high - low, 1 - weight);
    }
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t which = i / rows;
    double at = load<double>(q.at(which * q_step), q.dtype);
    if (!(at >= 0 && at <= 1)) {
      report(Fault::other);
      return;
    }
    const T* row = sorted + (i - which * rows) * length;
    int64_t count = count_numbers(row);
    bool none = count == 0 || (count < length && !ignore_nan);
    out[i] = none ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(pick(row, count, at));
  }
};

/// The elements that a quantile is of, as sorted rows.
Tensor sorted_rows(const Call& c, const Tensor& in) {
  Tensor rows = in;
  int64_t last = in.numel();
  if (!c.is_none(arg::dim) && in.dim() > 0) {
    int64_t dim = core::wrap_dim(c.integer(arg::dim), in.dim());
    rows = views::movedim(in, Dims{dim}, Dims{-1});
    last = rows.sizes().back();
  }
  rows = views::view(contiguous(c, rows), Dims{in.numel() / last, last});
  core::Value sorted = c.call("aten::sort", {rows, int64_t{1}, false});
  return contiguous(c, sorted.to_tensor());
}

Dims result_sizes(const Call& c, const Tensor& in, const Tensor& q) {
  Dims sizes;
  bool keep = c.boolean(arg::keepdim), all = c.is_none(arg::dim);
  if (q.dim() == 1) sizes.push_back(q.numel());
  int64_t reduced = all || in.dim() == 0 ? -1 : core::wrap_dim(c.integer(arg::dim), in.dim());
  for (int64_t d = 0; d < in.dim(); ++d) {
    if (!all && d != reduced)
      sizes.push_back(in.size(static_cast<size_t>(d)));
    else if (keep)
      sizes.push_back(1);
  }
  return sizes;
}

template <typename T>
void run_quantile(const Call& c, const Tensor& rows, const Tensor& q, const Tensor& out,
                  Between how, bool ignore_nan) {
  int64_t step = q.dim() == 0 ? 0 : q.stride(0) * static_cast<int64_t>(q.item_size());
  Queue queue = queue_of(c);
  for_each(queue, out.numel(),
           QuantileBody<T>{rows.device_data<T>(), rows.size(0), rows.size(1), Operand(q), step, how,
                           ignore_nan, out.device_data<T>(), queue.report});
}

/// quantile(self, q, dim, keepdim, interpolation); q is a number, or a tensor
/// whose dimension comes first in the result.
template <bool ignore_nan>
void quantile(Call& c) {
  Tensor in = c.tensor(arg::self), q;
  Between how = between_of(c.string(arg::interpolation));
  base::check(in.numel() > 0, "quantile() input tensor must be non-empty");
  base::check(in.dtype() == DType::float32 || in.dtype() == DType::float64,
              "quantile() input tensor must be either float or double dtype");
  if (c.value(arg::q).is_tensor()) {
    q = c.tensor(arg::q);
    base::check(q.dim() <= 1, "quantile() q must be a scalar or 1D tensor");
    base::check(q.dtype() == in.dtype(),
                "quantile() q tensor must be same dtype as the input tensor");
  } else {
    double number = c.floating(arg::q);
    base::check(number >= 0 && number <= 1, "quantile() q values must be in the range [0, 1]");
    q = ops::wrapped_number(number, DType::float64);
  }
  Tensor out = c.new_empty(result_sizes(c, in, q), in.dtype());
  if (out.numel() > 0) {
    Tensor rows = sorted_rows(c, in);
    if (in.dtype() == DType::float64)
      run_quantile<double>(c, rows, q, out, how, ignore_nan);
    else
      run_quantile<float>(c, rows, q, out, how, ignore_nan);
  }
  c.finish(core::Value(out));
}

constexpr ops::Kernel quantile_table[] = {
    {"aten::quantile", quantile<false>},
    {"aten::quantile.scalar", quantile<false>},
    {"aten::nanquantile", quantile<true>},
    {"aten::nanquantile.scalar", quantile<true>},
};

}  // namespace

std::span<const ops::Kernel> quantile_kernels() { return quantile_table; }

}  // namespace assay::kernels::cuda
