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

void resize_rule(RuleCall& c) {
  resize_tensor(c.tensor(arg::self), c.ints(arg::size),
                format_argument(c, MemoryFormat::contiguous));
  c.finish(c.value(arg::self));
}
void resize_as_rule(RuleCall& c) {
  Tensor model = c.tensor(arg::the_template);
  MemoryFormat format = format_argument(c, MemoryFormat::contiguous);
  if (format == MemoryFormat::preserve) format = suggested_format(model);
  resize_tensor(c.tensor(arg::self), model.sizes(), format);
  c.finish(c.value(arg::self));
}

void set_empty_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  self.assign(Tensor::empty(Dims{0}, self.dtype(), self.device()));
  c.finish(c.value(arg::self));
}

void check_source(const Tensor& self, const Tensor& source) {
  base::check(self.dtype() == source.dtype(), "Could not set tensor of type ",
              core::script_name(source.dtype()), " to a tensor of type ",
              core::script_name(self.dtype()));
}
void set_tensor_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self), source = c.tensor(arg::source);
  check_source(self, source);
  self.assign(source);
  c.finish(c.value(arg::self));
}
void set_tensor_view_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self), source = c.tensor(arg::source);
  check_source(self, source);
  Dims sizes = c.ints(arg::size), strides = c.ints(arg::stride);
  if (strides.empty()) strides = core::contiguous_strides(sizes);
  self.assign(views::as_strided(source, sizes, strides, c.integer(arg::storage_offset)));
  c.finish(c.value(arg::self));
}
void set_data_rule(RuleCall& c) {
  c.tensor(arg::self).assign(c.tensor(arg::new_data));
  c.finish(std::vector<core::Value>{});
}

}  // namespace

const Rule resize_in_place{resize_rule};
const Rule resize_as_in_place{resize_as_rule, false, Devices::any_device};
const Rule set_empty{set_empty_rule};
const Rule set_tensor{set_tensor_rule, false, Devices::any_device};
const Rule set_tensor_view{set_tensor_view_rule, false, Devices::any_device};
const Rule set_data{set_data_rule, false, Devices::any_device};

}  // namespace assay::ops::infer
