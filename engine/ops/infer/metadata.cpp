#include "engine/ops/infer/metadata.h"

#include "engine/ops/dispatch.h"
#include "engine/ops/infer/layout.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {
namespace {

using core::DeviceType;
using core::DType;
using core::Tensor;
using core::Value;

/// The rule that finishes a call with `answer` of its first tensor.
template <auto answer>
constexpr Rule about_tensor{[](RuleCall& c) { c.finish(Value(answer(c.first().to_tensor(), c))); },
                            false, Devices::any_device};

int64_t one_size(const Tensor& t, const Call& c) {
  return t.size(static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), t.dim(), false)));
}

int64_t one_stride(const Tensor& t, const Call& c) {
  return t.stride(static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), t.dim(), false)));
}

int64_t length(const Tensor& t, const Call&) {
  base::check(t.dim() > 0, "len() of a 0-d tensor");
  return t.size(0);
}

bool contiguous(const Tensor& t, const Call& c) {
  auto format = format_argument(c, core::MemoryFormat::contiguous);
  if (format == core::MemoryFormat::contiguous) return t.is_contiguous();
  base::check(format != core::MemoryFormat::preserve,
              "preserve memory format is unsupported by the contiguous operator");
  return t.is_contiguous(format);
}

bool same_view(const Tensor& t, const Call& c) {
  Tensor other = c.tensor(arg::tensor);
  return t.storage() == other.storage() && t.offset() == other.offset() &&
         t.sizes() == other.sizes() && t.strides() == other.strides();
}

int64_t device_index(const Tensor& t, const Call&) {
  return t.device().type == DeviceType::cpu ? -1 : t.device().index;
}

Tensor detached(const Tensor& t, const Call&) { return t.alias(); }

Tensor with_requires_grad(const Tensor& t, const Call& c) {
  bool wanted = c.boolean(arg::requires_grad);
  base::check(!wanted || core::is_differentiable(t.dtype()),
              "only Tensors of floating point dtype can require gradients");
  t.impl()->requires_grad = wanted;
  return t;
}

void promoted(RuleCall& c) {
  std::vector<Tensor> operands;
  for (const Value& v : c.args) {
    operands.push_back(v.is_tensor() ? v.to_tensor()
                                     : wrapped_number(v.to_scalar(), c.context.default_dtype));
  }
  c.finish(Value(static_cast<int64_t>(result_type(operands, c.context.default_dtype))));
}

}  // namespace

const Rule tensor_sizes =
    about_tensor<[](const Tensor& t, const Call&) { return core::make_int_list(t.sizes()); }>;
const Rule tensor_size = about_tensor<one_size>;
const Rule tensor_strides =
    about_tensor<[](const Tensor& t, const Call&) { return core::make_int_list(t.strides()); }>;
const Rule tensor_stride = about_tensor<one_stride>;
const Rule tensor_dim = about_tensor<[](const Tensor& t, const Call&) { return t.dim(); }>;
const Rule tensor_numel = about_tensor<[](const Tensor& t, const Call&) { return t.numel(); }>;
const Rule tensor_len = about_tensor<length>;
const Rule tensor_storage_offset =
    about_tensor<[](const Tensor& t, const Call&) { return t.offset(); }>;
const Rule tensor_element_size =
    about_tensor<[](const Tensor& t, const Call&) { return static_cast<int64_t>(t.item_size()); }>;
const Rule tensor_is_contiguous = about_tensor<contiguous>;
const Rule tensor_is_dense = about_tensor<[](const Tensor& t, const Call&) {
  return core::is_non_overlapping_and_dense(t.sizes(), t.strides());
}>;
const Rule tensor_is_floating =
    about_tensor<[](const Tensor& t, const Call&) { return core::is_floating(t.dtype()); }>;
const Rule tensor_is_complex =
    about_tensor<[](const Tensor& t, const Call&) { return core::is_complex(t.dtype()); }>;
const Rule tensor_is_signed = about_tensor<[](const Tensor& t, const Call&) {
  return t.dtype() != DType::uint8 && t.dtype() != DType::boolean;
}>;
const Rule tensor_is_same_size = about_tensor<[](const Tensor& t, const Call& c) {
  return t.sizes() == c.tensor(arg::other).sizes();
}>;
const Rule tensor_is_set_to = about_tensor<same_view>;
const Rule tensor_dtype =
    about_tensor<[](const Tensor& t, const Call&) { return static_cast<int64_t>(t.dtype()); }>;
const Rule tensor_device = about_tensor<[](const Tensor& t, const Call&) { return t.device(); }>;
const Rule tensor_device_index = about_tensor<device_index>;
const Rule tensor_is_cpu =
    about_tensor<[](const Tensor& t, const Call&) { return t.device().type == DeviceType::cpu; }>;
const Rule tensor_is_cuda =
    about_tensor<[](const Tensor& t, const Call&) { return t.device().type == DeviceType::cuda; }>;
const Rule tensor_is_meta =
    about_tensor<[](const Tensor& t, const Call&) { return t.device().type == DeviceType::meta; }>;
const Rule tensor_requires_grad =
    about_tensor<[](const Tensor& t, const Call&) { return t.requires_grad(); }>;
const Rule tensor_detached = about_tensor<detached>;
const Rule set_requires_grad = about_tensor<with_requires_grad>;
const Rule none_of_tensor = about_tensor<[](const Tensor&, const Call&) { return Value(); }>;
const Rule false_of_tensor = about_tensor<[](const Tensor&, const Call&) { return false; }>;
const Rule true_of_tensor = about_tensor<[](const Tensor&, const Call&) { return true; }>;
const Rule zero_of_tensor = about_tensor<[](const Tensor&, const Call&) { return int64_t{0}; }>;
const Rule tensor_result_type{promoted, false, Devices::any_device};

}  // namespace assay::ops::infer
