#include "engine/ops/deferred_call.h"

#include <utility>

namespace assay::ops {

using core::Tensor;
using core::Value;

namespace {

/// The bytes and what the tensor says of them now.
Tensor as_it_is(const Tensor& tensor) {
  constexpr auto quantizer = core::TensorExtension::quantizer;
  Tensor kept = tensor.alias();
  kept.impl()->wrapped_number = tensor.is_wrapped_number();
  if (base::RefCounted* found = tensor.impl()->extensions.find(quantizer))
    kept.impl()->extensions.set(quantizer, base::Ref<base::RefCounted>(found));
  return kept;
}

Value as_it_is(const Value& value) {
  if (value.is_tensor()) return value.to_tensor() ? Value(as_it_is(value.to_tensor())) : value;
  if (!value.is_list()) return value;
  core::Values items;
  for (const Value& item : value.list().items) items.push_back(as_it_is(item));
  return core::make_list(value.list().element, std::move(items));
}

bool is_same(const Value& a, const Value& b) {
  return a.is_tensor() && b.is_tensor() && a.tensor_impl() == b.tensor_impl();
}

}  // namespace

struct DeferredCall::Kept {
  explicit Kept(const Call& call) {
    for (const Value& v : call.args) args.push_back(as_it_is(v));
    const Context& from = call.context;
    context.kernels = from.kernels;
    context.reference_only = from.reference_only;
    context.fake_cuda = from.fake_cuda;
    context.default_dtype = from.default_dtype;
    context.grad_enabled = from.grad_enabled;
    context.generator = from.generator;
    context.depth = 1;
  }
  core::Values args;
  Context context;
};

DeferredCall::DeferredCall(const Call& call) : DeferredCall(call, std::make_unique<Kept>(call)) {}

DeferredCall::~DeferredCall() = default;

DeferredCall::DeferredCall(const Call& call, std::unique_ptr<Kept> kept)
    : Call(call.op, kept->context, kept->args), kept_(std::move(kept)) {
  for (const Value& result : call.results) {
    size_t i = 0;
    while (i < call.args.size() && !is_same(call.args[i], result)) ++i;
    results.push_back(i < call.args.size() ? args[i] : as_it_is(result));
  }
  device_ = call.device();
  declared_ = true;
}

}  // namespace assay::ops
