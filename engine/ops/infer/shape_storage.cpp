#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/layout.h"
#include "engine/ops/infer/shape.h"
#include "engine/ops/views.h"

namespace assay::ops::infer {
namespace {

using core::Dims;
using core::MemoryFormat;
using core::Tensor;

/// Gives the tensor object a size, keeping its bytes; the storage grows where it is too small.
void resize(const Tensor& self, core::DimSpan sizes, MemoryFormat format) {
  for (int64_t size : sizes) {
    base::check(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
  bool same = self.sizes() == Dims(sizes);
  if (same && format == MemoryFormat::contiguous) return;
  Dims strides = core::format_strides(sizes, format);
  int64_t elements = 0, bytes = 0;
  bool overflows =
      __builtin_add_overflow(self.offset(), core::extent(sizes, strides).high, &elements) ||
      __builtin_mul_overflow(elements, static_cast<int64_t>(self.item_size()), &bytes);
  base::check(!overflows, "resize_: shape ", sizes, " needs more bytes than 64 bits can count");
  if (self.storage()->nbytes() < static_cast<size_t>(bytes)) {
    self.storage()->resize(static_cast<size_t>(bytes));
  }
  self.assign(self.view(sizes, strides, self.offset()));
}

void resize_rule(Call& c) {
  resize(c.tensor(0), c.ints(1), format_argument(c, 2, MemoryFormat::contiguous));
  c.finish(c.arg(0));
}
void resize_as_rule(Call& c) {
  Tensor model = c.tensor(1);
  MemoryFormat format = format_argument(c, 2, MemoryFormat::contiguous);
  if (format == MemoryFormat::preserve) format = suggested_format(model);
  resize(c.tensor(0), model.sizes(), format);
  c.finish(c.arg(0));
}

void set_empty_rule(Call& c) {
  Tensor self = c.tensor(0);
  self.assign(Tensor::empty(Dims{0}, self.dtype(), self.device()));
  c.finish(c.arg(0));
}

void check_source(const Tensor& self, const Tensor& source) {
  base::check(self.dtype() == source.dtype(), "Could not set tensor of type ",
              core::script_name(source.dtype()), " to a tensor of type ",
              core::script_name(self.dtype()));
}
void set_tensor_rule(Call& c) {
  Tensor self = c.tensor(0), source = c.tensor(1);
  check_source(self, source);
  self.assign(source);
  c.finish(c.arg(0));
}
void set_tensor_view_rule(Call& c) {
  Tensor self = c.tensor(0), source = c.tensor(1);
  check_source(self, source);
  Dims sizes = c.ints(3), strides = c.ints(4);
  if (strides.empty()) strides = core::contiguous_strides(sizes);
  self.assign(views::as_strided(source, sizes, strides, c.integer(2)));
  c.finish(c.arg(0));
}
void set_data_rule(Call& c) {
  c.tensor(0).assign(c.tensor(1));
  c.finish(std::vector<core::Value>{});
}

}  // namespace

const Rule resize_in_place{resize_rule};
const Rule resize_as_in_place{resize_as_rule, false, true};
const Rule set_empty{set_empty_rule};
const Rule set_tensor{set_tensor_rule, false, true};
const Rule set_tensor_view{set_tensor_view_rule, false, true};
const Rule set_data{set_data_rule, false, true};

}  // namespace assay::ops::infer
