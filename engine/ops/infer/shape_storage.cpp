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

void resize_rule(Call& c) {
  resize_tensor(c.tensor(0), c.ints(1), format_argument(c, 2, MemoryFormat::contiguous));
  c.finish(c.arg(0));
}
void resize_as_rule(Call& c) {
  Tensor model = c.tensor(1);
  MemoryFormat format = format_argument(c, 2, MemoryFormat::contiguous);
  if (format == MemoryFormat::preserve) format = suggested_format(model);
  resize_tensor(c.tensor(0), model.sizes(), format);
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
