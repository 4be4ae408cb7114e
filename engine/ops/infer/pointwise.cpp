#include "engine/ops/infer/pointwise.h"

#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {
namespace {

using core::DType;
using core::Tensor;

std::vector<Tensor> tensor_arguments(const Call& call) {
  std::vector<Tensor> tensors;
  for (const auto& v : call.args) {
    if (v.is_tensor()) tensors.push_back(v.to_tensor());
  }
  return tensors;
}

/// Declares the one result: the operands' common shape, laid out as they are.
void declare_broadcast(Call& call, std::span<const Tensor> operands, DType dtype) {
  core::Dims sizes;
  for (const Tensor& t : operands) sizes = core::broadcast(sizes, t.sizes());
  call.declare(sizes, elementwise_strides(sizes, operands), dtype, call.device());
}

template <DType (*dtype_of_result)(DType promoted, const Call& call)>
void broadcast_with(Call& call) {
  auto operands = tensor_arguments(call);
  DType promoted = result_type(operands, call.context.default_dtype);
  declare_broadcast(call, operands, dtype_of_result(promoted, call));
}

DType same(DType promoted, const Call&) { return promoted; }
DType floating(DType promoted, const Call& call) {
  return core::is_integral(promoted, true) ? call.context.default_dtype : promoted;
}
DType boolean(DType, const Call&) { return DType::boolean; }
DType real(DType promoted, const Call&) { return core::real_of(promoted); }
DType of_first(DType, const Call& call) {
  for (const auto& v : call.args) {
    if (v.is_tensor()) return v.tensor_impl()->dtype;
  }
  return DType::float32;
}

}  // namespace

const Rule pointwise{broadcast_with<same>, true};
const Rule pointwise_float{broadcast_with<floating>, true};
const Rule pointwise_bool{broadcast_with<boolean>, true};
const Rule pointwise_first{broadcast_with<of_first>, true};
const Rule pointwise_real{broadcast_with<real>, true};

}  // namespace assay::ops::infer
