#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/layout.h"
#include "engine/ops/infer/shape.h"
#include "engine/ops/views.h"

namespace assay::ops::infer {
namespace {

using core::Device;
using core::DeviceType;
using core::Dims;
using core::DType;
using core::MemoryFormat;
using core::Tensor;

/// What a conversion asks for; what it leaves open stays as it is.
struct Conversion {
  std::optional<DType> dtype;
  std::optional<Device> device;
  MemoryFormat format = MemoryFormat::preserve;
  bool copy = false;
};

void check_has_bytes(const Tensor& t, Device target) {
  base::check(t.device().type != DeviceType::meta || target.type == DeviceType::meta,
              "Cannot copy out of meta tensor; no data!");
}

void convert(RuleCall& c, const Conversion& wanted) {
  Tensor self = c.first().to_tensor();
  DType dtype = wanted.dtype.value_or(self.dtype());
  Device device = wanted.device.value_or(self.device());
  bool same_format = wanted.format == MemoryFormat::preserve || self.is_contiguous(wanted.format);
  bool same = dtype == self.dtype() && device == self.device() && same_format;
  if (same && !wanted.copy) return c.finish(c.first());
  check_has_bytes(self, device);
  c.declare_on(device, self.sizes(), copy_strides(self, wanted.format), dtype);
}

MemoryFormat preserving(const Call& c) { return format_argument(c, MemoryFormat::preserve); }
std::optional<Device> device_argument(const Call& c) {
  if (c.is_none(arg::device)) return std::nullopt;
  return c.device_or(arg::device, {});
}

void clone_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  c.declare(self.sizes(), copy_strides(self, preserving(c)), self.dtype());
}
void copy_plain_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  c.declare(self.sizes(), copy_strides(self, MemoryFormat::preserve), self.dtype());
}
void contiguous_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  MemoryFormat format = format_argument(c, MemoryFormat::contiguous);
  if (self.is_contiguous(format)) return c.finish(c.value(arg::self));
  base::check(format != MemoryFormat::preserve,
              "preserve memory format is unsupported by the contiguous operator");
  c.declare(self.sizes(), core::format_strides(self.sizes(), format), self.dtype());
}

void to_device_rule(RuleCall& c) {
  convert(c, {c.dtype(arg::dtype), device_argument(c), preserving(c), c.boolean(arg::copy)});
}
void to_dtype_rule(RuleCall& c) {
  convert(c, {c.dtype(arg::dtype), std::nullopt, preserving(c), c.boolean(arg::copy)});
}
/// Whether autocast is on for the kind of device that the tensor is on.
bool autocast_on(const Call& c, const Tensor& self) {
  if (self.device().type == core::DeviceType::cuda) return c.boolean(arg::cuda_enabled);
  return self.device().type == core::DeviceType::cpu && c.boolean(arg::cpu_enabled);
}
void autocast_to_full_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  bool lower = self.dtype() == DType::float16 || self.dtype() == DType::bfloat16;
  Conversion wanted{std::nullopt, std::nullopt, MemoryFormat::preserve, false};
  if (lower && autocast_on(c, self)) wanted.dtype = DType::float32;
  convert(c, wanted);
}
void autocast_to_reduced_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  bool cuda = self.device().type == core::DeviceType::cuda;
  Conversion wanted{std::nullopt, std::nullopt, MemoryFormat::preserve, false};
  if (self.dtype() == DType::float32 && autocast_on(c, self)) {
    wanted.dtype = c.dtype(cuda ? arg::cuda_dtype : arg::cpu_dtype);
  }
  convert(c, wanted);
}
void to_other_rule(RuleCall& c) {
  Tensor other = c.tensor(arg::other);
  convert(c, {other.dtype(), other.device(), preserving(c), c.boolean(arg::copy)});
}
void to_dtype_layout_rule(RuleCall& c) {
  check_strided(c);
  convert(c, {c.dtype(arg::dtype), device_argument(c), preserving(c), c.boolean(arg::copy)});
}
void to_prim_device_rule(RuleCall& c) {
  convert(c,
          {c.dtype(arg::dtype), device_argument(c), MemoryFormat::preserve, c.boolean(arg::copy)});
}
void to_prim_dtype_rule(RuleCall& c) {
  convert(c, {c.dtype(arg::dtype), std::nullopt, MemoryFormat::preserve, c.boolean(arg::copy)});
}
void to_prim_other_rule(RuleCall& c) {
  convert(c, {std::nullopt, std::nullopt, MemoryFormat::preserve, c.boolean(arg::copy)});
}
void to_copy_rule(RuleCall& c) {
  check_strided(c);
  convert(c, {c.dtype(arg::dtype), device_argument(c), preserving(c), true});
}
void type_as_rule(RuleCall& c) {
  Tensor other = c.tensor(arg::other);
  convert(c, {other.dtype(), other.device()});
}
void to_cpu_rule(RuleCall& c) { convert(c, {std::nullopt, Device{}}); }
void to_cuda_rule(RuleCall& c) { convert(c, {std::nullopt, Device{DeviceType::cuda, 0}}); }
void as_tensor_rule(RuleCall& c) { convert(c, {c.dtype(arg::dtype), device_argument(c)}); }

template <DType dtype>
void cast_rule(RuleCall& c) {
  convert(c, {dtype, std::nullopt});
}

void reshape_to(RuleCall& c, core::DimSpan shape) {
  Tensor self = c.tensor(arg::self);
  Dims sizes = views::infer_size(shape, self.numel());
  if (auto strides = views::view_strides(self.sizes(), self.strides(), sizes)) {
    return c.finish(self.view(sizes, *strides, self.offset()));
  }
  c.declare(sizes, self.dtype());
}
void reshape_rule(RuleCall& c) { reshape_to(c, c.ints(arg::shape)); }
void reshape_as_rule(RuleCall& c) { reshape_to(c, c.tensor(arg::other).sizes()); }
void flatten_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t first = core::wrap_dim(c.integer(arg::start_dim), self.dim());
  int64_t last = core::wrap_dim(c.integer(arg::end_dim), self.dim());
  if (first == last && self.dim() > 0) return c.finish(c.value(arg::self));
  reshape_to(c, views::flatten_sizes(self.sizes(), first, last));
}
void ravel_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  if (self.dim() == 1 && self.is_contiguous()) return c.finish(self.alias());
  reshape_to(c, Dims{-1});
}

/// A target or source without bytes takes part by its shape only.
void copy_in_place_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self), source = c.tensor(arg::src);
  Dims sizes = core::broadcast(self.sizes(), source.sizes());
  base::check(sizes == self.sizes(), "output with shape ", self.sizes(),
              " doesn't match the broadcast shape ", sizes);
  check_has_bytes(source, self.device());
  views::check_elements_apart(self);
  if (self.device().type == DeviceType::meta || self.same(source)) c.finish(c.value(arg::self));
}
void copy_functional_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  views::expand(c.tensor(arg::src), self.sizes());
  Dims strides = copy_strides(self, MemoryFormat::preserve);
  c.declare_on(self.device(), self.sizes(), strides, self.dtype());
}

}  // namespace

const Rule clone{clone_rule};
const Rule copy_plain{copy_plain_rule};
const Rule contiguous{contiguous_rule};
const Rule to_device{to_device_rule};
const Rule to_dtype{to_dtype_rule};
const Rule autocast_to_full{autocast_to_full_rule};
const Rule autocast_to_reduced{autocast_to_reduced_rule};
const Rule to_other{to_other_rule, false, Devices::any_device};
const Rule to_dtype_layout{to_dtype_layout_rule};
const Rule to_prim_device{to_prim_device_rule};
const Rule to_prim_dtype{to_prim_dtype_rule};
const Rule to_prim_other{to_prim_other_rule};
const Rule to_copy{to_copy_rule};
const Rule type_as{type_as_rule, false, Devices::any_device};
const Rule to_cpu{to_cpu_rule};
const Rule to_cuda{to_cuda_rule};
const Rule as_tensor{as_tensor_rule};
const Rule cast_uint8{cast_rule<DType::uint8>};
const Rule cast_int8{cast_rule<DType::int8>};
const Rule cast_int16{cast_rule<DType::int16>};
const Rule cast_int32{cast_rule<DType::int32>};
const Rule cast_int64{cast_rule<DType::int64>};
const Rule cast_float16{cast_rule<DType::float16>};
const Rule cast_float32{cast_rule<DType::float32>};
const Rule cast_float64{cast_rule<DType::float64>};

const Rule reshape{reshape_rule};
const Rule reshape_as{reshape_as_rule, false, Devices::any_device};
const Rule flatten{flatten_rule};
const Rule ravel{ravel_rule};

const Rule copy_in_place{copy_in_place_rule, false, Devices::any_device};
const Rule copy_functional{copy_functional_rule, false, Devices::any_device};

}  // namespace assay::ops::infer
