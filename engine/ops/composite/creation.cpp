#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::Tensor;
using core::Value;

/// The diagonal of a matrix (all sizes equal for more dimensions); `wrap` starts again below a tall
/// matrix's end.
void fill_diagonal(Call& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dim() >= 2, "dimensions must larger than 1");
  int64_t least = self.size(0), stride = 0;
  for (size_t i = 0; i < self.sizes().size(); ++i) {
    base::check(self.dim() == 2 || self.size(i) == self.size(0),
                "all dimensions of input must be of equal length");
    least = std::min(least, self.size(i));
    stride = base::checked_add(stride, self.stride(i));
  }
  Tensor main = self.view(Dims{least}, Dims{stride}, self.offset());
  c.call("aten::fill_.Scalar", {main, c.value(arg::fill_value)});
  bool wraps = c.boolean(arg::wrap) && self.dim() == 2 && self.size(0) > self.size(1) + 1;
  if (wraps) {
    int64_t step = self.size(1) + 1;
    for (int64_t row = step; row < self.size(0); row += step) {
      Tensor rest = views::narrow(self, 0, row, std::min(self.size(1), self.size(0) - row));
      c.call("aten::fill_.Scalar", {views::diagonal(rest, 0, 0, 1), c.value(arg::fill_value)});
    }
  }
  c.finish(c.value(arg::self));
}

/// Column i of the result is x to the power of i (of n - 1 - i unless `increasing`).
void vander(Call& c) {
  Tensor x = c.tensor(arg::x);
  base::check(x.dim() == 1, "x must be a one-dimensional tensor.");
  int64_t columns = c.integer_or(arg::N, x.size(0));
  base::check(columns >= 0, "N must be non-negative.");
  core::DType dtype = core::is_integral(x.dtype(), true) ? core::DType::int64 : x.dtype();
  Tensor out = c.call_tensor("aten::ones", {core::make_int_list(Dims{x.size(0), columns}),
                                            static_cast<int64_t>(dtype), Value(), x.device()});
  for (int64_t i = 1; i < columns; ++i) {
    auto column = [&](int64_t k) {
      return views::select(out, 1, c.boolean(arg::increasing) ? k : columns - 1 - k);
    };
    Tensor power = c.call_tensor("aten::mul.Tensor", {column(i - 1), x});
    c.call("aten::copy_", {column(i), power});
  }
  c.finish(out);
}

/// Between numbers that tensors without dimensions hold.
void between_tensors(Call& c) {
  core::Values args(c.args.begin(), c.args.end());
  for (size_t i = 0; i < 2; ++i) {
    if (!args[i].is_tensor()) continue;
    base::check(args[i].to_tensor().dim() == 0, c.op.symbol.name(),
                " only supports 0-dimensional start and end tensors");
    args[i] = c.call("aten::item", {args[i]});
  }
  c.finish(c.call(std::string("aten::").append(c.op.symbol.name()), args));
}

constexpr Kernel creation_table[] = {
    {"aten::linspace.Tensor_Tensor", between_tensors},
    {"aten::linspace.Tensor_Scalar", between_tensors},
    {"aten::linspace.Scalar_Tensor", between_tensors},
    {"aten::logspace.Tensor_Tensor", between_tensors},
    {"aten::logspace.Tensor_Scalar", between_tensors},
    {"aten::logspace.Scalar_Tensor", between_tensors},
    {"aten::fill_diagonal_", fill_diagonal},
    {"aten::vander", vander},
};

}  // namespace

std::span<const Kernel> creation_composites() { return creation_table; }

}  // namespace assay::ops::composite
