#include "engine/trace/gradients.h"

#include <algorithm>
#include <unordered_set>

#include "engine/core/tensor_extensions.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"

namespace assay::trace {

using base::Symbol;
using core::Tensor;
using core::TensorExtension;
using core::TensorImpl;
using core::Value;
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

bool is_differentiable(const TensorImpl& tensor) {
  return core::is_floating(tensor.dtype) || core::is_complex(tensor.dtype);
}

template <typename Function>
void for_each_tensor(const Value& value, const Function& function) {
  if (value.is_tensor()) {
    function(*value.tensor_impl());
  } else if (value.is_list()) {
    for (const Value& item : value.list().items)
      if (item.is_tensor()) function(*item.tensor_impl());
  }
}

/// Operators each of whose results is of the argument at its place alone.
bool gives_each_its_own(const Operator& op) {
  static const std::unordered_set<Symbol> each{
      Symbol("aten::broadcast_tensors"), Symbol("aten::meshgrid"),   Symbol("aten::atleast_1d"),
      Symbol("aten::atleast_2d"),        Symbol("aten::atleast_3d"),
  };
  return each.contains(op.symbol);
}

/// Results of floating-point type through which no gradient flows.
bool is_side_result(const Operator& op, size_t i) {
  static const Symbol lu("aten::linalg_lu"), unpack("aten::lu_unpack"),
      least_squares("aten::linalg_lstsq");
  if (op.symbol == lu || op.symbol == unpack) return i == 0;
  return op.symbol == least_squares && i > 0;
}

/// The tensor among the arguments that the result is a view of; null if it is none, or one of them.
TensorImpl* viewed(std::span<const Value> args, const TensorImpl& result) {
  TensorImpl* found = nullptr;
  bool itself = false;
  for (const Value& arg : args) {
    for_each_tensor(arg, [&](TensorImpl& given) {
      itself = itself || &given == &result;
      if (!found && given.storage.get() == result.storage.get()) found = &given;
    });
  }
  return itself ? nullptr : found;
}

bool is_argument(std::span<const Value> args, const TensorImpl& result) {
  return std::ranges::any_of(args, [&](const Value& arg) {
    bool found = false;
    for_each_tensor(arg, [&](const TensorImpl& given) { found = found || &given == &result; });
    return found;
  });
}

void note_view(TensorImpl& whole, TensorImpl& view) {
  TensorImpl* root = base_of(whole) ? base_of(whole) : &whole;
  if (!view.extensions.find(TensorExtension::view)) {
    view.extensions.set(TensorExtension::view, base::make_ref<Base>(base::Ref<TensorImpl>(root)));
  }
}

void mark(TensorImpl& tensor) {
  if (!is_differentiable(tensor)) return;
  static const base::Ref<base::RefCounted> computed = base::make_ref<Computed>();
  tensor.requires_grad = true;
  tensor.extensions.set(TensorExtension::gradient, computed);
}

void carry(const Operator& op, std::span<const Value> args, TensorImpl& result, bool recorded) {
  TensorImpl* whole = viewed(args, result);
  if (!whole && !recorded) return;
  if (!whole && is_argument(args, result)) {  // Untouched, or written to.
    if (op.writes.empty()) return;
    mark(result);
    if (TensorImpl* written = base_of(result)) mark(*written);
    return;
  }
  if (!is_differentiable(result) || !passes_gradients(op)) return;
  if (whole) note_view(*whole, result);
  bool of_needing = whole && needs(*whole);
  if (recorded && (of_needing || !gives_each_its_own(op))) {
    mark(result);
  } else if (of_needing) {
    result.requires_grad = true;  // A view of what needs gradients, though none are recorded.
  }
}

}  // namespace

bool is_factory(const Operator& op) {
  static const Symbol to("aten::to"), to_copy("aten::_to_copy");
  return op.has(ops::arg::pin_memory) && op.symbol != to && op.symbol != to_copy;
}

bool passes_gradients(const Operator& op) {
  static const std::unordered_set<Symbol> cuts{
      Symbol("aten::detach"), Symbol("aten::detach_"),        Symbol("prim::data"),
      Symbol("aten::histc"),  Symbol("aten::requires_grad_"),
  };
  return !cuts.contains(op.symbol) && !op.is_out && !is_factory(op) &&
         op.qualified_name != "aten::view.dtype";
}

bool reads_first_alone(const Operator& op) {
  static const std::unordered_set<Symbol> like{
      Symbol("aten::type_as"),    Symbol("aten::view_as"),    Symbol("aten::expand_as"),
      Symbol("aten::reshape_as"), Symbol("aten::resize_as_"), Symbol("aten::to"),
  };
  return like.contains(op.symbol);
}

bool needs_gradients(const Tensor& tensor) { return tensor.defined() && needs(*tensor.impl()); }

bool needs_gradients(const Value& value) {
  bool found = false;
  for_each_tensor(value, [&](const TensorImpl& tensor) { found = found || needs(tensor); });
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
  if (!passes_gradients(op)) return false;
  return !reads_first_alone(op) || needing(args[0]);
}

void carry_gradients(const Operator& op, std::span<const Value> args, const Results& results,
                     bool recorded) {
  static const Symbol detach_in_place("aten::detach_");
  if (op.symbol == detach_in_place) forget_gradients(args[0].to_tensor());
  for (size_t i = 0; i < results.size(); ++i) {
    bool flows = recorded && !is_side_result(op, i);
    for_each_tensor(results[i], [&](TensorImpl& result) { carry(op, args, result, flows); });
  }
}

void mark_computed(const Value& result) { for_each_tensor(result, mark); }

void refuse_writes(const Operator& op, std::span<const Value> args) {
  if (op.is_out) {
    base::check(std::ranges::none_of(args, [](const Value& a) { return needs_gradients(a); }),
                op.symbol.name(),
                "(): an argument asks for gradients, and calls with out= have none. detach() it, "
                "or call it under torch.no_grad().");
  }
  static const Symbol detach("aten::detach_"), flag("aten::requires_grad_");
  if (op.symbol == detach || op.symbol == flag) return;
  for (size_t at : op.writes) {
    if (at >= args.size()) continue;
    for_each_tensor(args[at], [&](const TensorImpl& written) {
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
