#include "engine/ops/infer/layout.h"

#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {

using core::MemoryFormat;

MemoryFormat format_argument(const Call& call, MemoryFormat otherwise) {
  if (!call.has(arg::memory_format) || call.is_none(arg::memory_format)) return otherwise;
  int64_t number = call.integer(arg::memory_format);
  base::check(number >= 0 && number <= 3, call.op.qualified_name,
              ": no memory format has the number ", number);
  return static_cast<MemoryFormat>(number);
}

core::Dims copy_strides(const core::Tensor& tensor, MemoryFormat format) {
  if (format != MemoryFormat::preserve) return core::format_strides(tensor.sizes(), format);
  if (tensor.numel() == 0 || core::is_non_overlapping_and_dense(tensor.sizes(), tensor.strides())) {
    return tensor.strides();
  }
  return elementwise_strides(tensor.sizes(), std::span(&tensor, 1));
}

MemoryFormat suggested_format(const core::Tensor& tensor) {
  if (!core::is_channels_last(tensor.sizes(), tensor.strides())) return MemoryFormat::contiguous;
  return tensor.dim() == 4 ? MemoryFormat::channels_last : MemoryFormat::channels_last_3d;
}

void resize_tensor(const core::Tensor& self, core::DimSpan sizes, MemoryFormat format) {
  for (int64_t size : sizes) {
    base::check(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
  bool same = self.sizes() == core::Dims(sizes);
  if (same && format == MemoryFormat::contiguous) return;
  core::Dims strides = core::format_strides(sizes, format);
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

void check_strided(const Call& call) {
  constexpr int64_t strided = 0;
  if (call.integer_or(arg::layout, strided) != strided) {
    base::unsupported(call.op.qualified_name, ": assay has strided tensors only");
  }
}

}  // namespace assay::ops::infer
