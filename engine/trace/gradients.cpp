#include "engine/trace/gradients.h"

#include <algorithm>

#include "engine/core/tensor_extensions.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"

namespace assay::trace {

using core::Tensor;
using core::TensorExtension;
using core::TensorImpl;
using core::Value;
using ops::Gradients;
using ops::Operator;
using ops::Results;

namespace {

/// Kept with a view: what it is a view of, which is no view itself.
struct Base final : base::RefCounted {
  explicit Base(base::Ref<TensorImpl> of) : whole(std::move(of)) {}
  base::Ref<TensorImpl> whole;
};

/// Kept with a tensor that is no leaf.
struct Computed final : base::RefCounted {};

TensorImpl* base_of(const TensorImpl& tensor) {
  auto* kept = static_cast<Base*>(tensor.extensions.find(TensorExtension::view));
  return kept ? kept->whole.get() : nullptr;
}

bool needs(const TensorImpl& tensor) {
  if (tensor.requires_grad) return true;
  const TensorImpl* whole = base_of(tensor);
  return whole && whole->requires_grad && whole->storage.get() == tensor.storage.get();
}

/// The tensor among the arguments that the result is a view of; null if it is none, or one of them.
TensorImpl* viewed(std::span<const Value> args, const TensorImpl& result) {
  TensorImpl* found = nullptr;
  bool itself = false;
  core::for_each_tensor(args, [&](TensorImpl& given) {
    itself = itself || &given == &result;
    if (!found && given.storage.get() == result.storage.get()) found = &given;
  });
  return itself ? nullptr : found;
}

void note_view(TensorImpl& whole, TensorImpl& view) {
  TensorImpl* root = base_of(whole) ? base_of(whole) : &whole;
  if (!view.extensions.find(TensorExtension::view)) {
    view.extensions.set(TensorExtension::view, base::make_ref<Base>(base::Ref<TensorImpl>(root)));
  }
}

void mark(TensorImpl& tensor) {
  if (!core::is_differentiable(tensor.dtype)) return;
  static const base::Ref<base::RefCounted> computed = base::make_ref<Computed>();
  tensor.requires_grad = true;
  tensor.extensions.set(TensorExtension::gradient, computed);
}

void carry(const Operator& op, std::span<const Value> args, TensorImpl& result, bool recorded) {
  TensorImpl* whole = viewed(args, result);
  if (!whole && !recorded) return;
  if (!whole && core::holds(args, result)) {  // Untouched, or written to.
    if (op.writes.empty()) return;
    mark(result);
    if (TensorImpl* written = base_of(result)) mark(*written);
    return;
  }
  if (!core::is_differentiable(result.dtype) || op.cuts_gradients()) return;
  if (whole) note_view(*whole, result);
  bool of_needing = whole && needs(*whole);
  if (recorded && (of_needing || op.gradients() != Gradients::from_each)) {
    mark(result);
  } else if (of_needing) {
    result.requires_grad = true;  // A view of what needs gradients, though none are recorded.
  }
}

}  // namespace

bool is_factory(const Operator& op) {
  return op.has(ops::arg::pin_memory) && op.gradients() == Gradients::never;
}

bool needs_gradients(const Tensor& tensor) { return tensor.defined() && needs(*tensor.impl()); }

bool needs_gradients(const Value& value) {
  bool found = false;
  core::for_each_tensor(value, [&](const TensorImpl& tensor) { found = found || needs(tensor); });
  return found;
}

bool is_computed(const Tensor& tensor) {
  const TensorImpl& own = *tensor.impl();
  if (own.requires_grad) return own.extensions.find(TensorExtension::gradient) != nullptr;
  const TensorImpl* whole = base_of(own);
  return whole && whole->extensions.find(TensorExtension::gradient) != nullptr;
}

void forget_gradients(const Tensor& tensor) {
  tensor.impl()->requires_grad = false;
  tensor.impl()->extensions.set(TensorExtension::gradient, nullptr);
  tensor.impl()->extensions.set(TensorExtension::view, nullptr);
}

bool records_gradients(const Operator& op, std::span<const Value> args,
                       const ops::Context& context) {
  if (!context.grad_enabled) return false;
  auto needing = [](const Value& arg) { return needs_gradients(arg); };
  if (std::ranges::none_of(args, needing)) return false;
  if (op.cuts_gradients()) return false;
  return op.gradients() != Gradients::from_first || needing(args[0]);
}

void carry_gradients(const Operator& op, std::span<const Value> args, const Results& results,
                     bool recorded) {
  if (op.gradients() == Gradients::forgotten) forget_gradients(args[0].to_tensor());
  for (size_t i = 0; i < results.size(); ++i) {
    bool flows = recorded && op.is_differentiable(i);
    core::for_each_tensor(results[i], [&](TensorImpl& result) { carry(op, args, result, flows); });
  }
}

void mark_computed(const Value& result) { core::for_each_tensor(result, mark); }

void refuse_writes(const Operator& op, std::span<const Value> args) {
  if (op.is_out) {
    base::check(std::ranges::none_of(args, [](const Value& a) { return needs_gradients(a); }),
                op.symbol.name(),
                "(): an argument asks for gradients, and calls with out= have none. detach() it, "
                "or call it under torch.no_grad().");
  }
  if (op.cuts_gradients()) return;  // What is written to is a flag.
  for (size_t at : op.writes) {
    if (at >= args.size()) continue;
    core::for_each_tensor(args[at], [&](const TensorImpl& written) {
      const TensorImpl* whole = base_of(written);
      const TensorImpl& owner = whole ? *whole : written;
      bool leaf = owner.requires_grad && !owner.extensions.find(TensorExtension::gradient);
      base::check(!leaf, whole ? "a view of " : "",
                  "a leaf tensor that requires grad is written to in place. Do it under "
                  "torch.no_grad(), or to a clone().");
    });
  }
}

Results GradientFollower::call(const Operator& op, std::span<const Value> args,
                               const ops::Next& next) {
  if (next.context().grad_enabled) refuse_writes(op, args);
  bool recorded = records_gradients(op, args, next.context());
  Results results = next(op, args);
  carry_gradients(op, args, results, recorded);
  return results;
}

void settle_gradients(const Value& value) {
  if (value.is_tuple()) {
    for (const Value& item : value.tuple().items) settle_gradients(item);
  } else if (value.is_dict()) {
    for (const auto& entry : value.dict().entries()) settle_gradients(entry.value);
  } else if (value.is_list()) {
    for (const Value& item : value.list().items) settle_gradients(item);
  } else if (value.is_tensor() && needs(*value.tensor_impl())) {
    value.tensor_impl()->requires_grad = true;
  }
}

}  // namespace assay::trace
