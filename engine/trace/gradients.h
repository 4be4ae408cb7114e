#pragma once

#include <span>

#include "engine/ops/context.h"
#include "engine/ops/handler.h"

/// Which tensors ask for gradients (`requires_grad`), by PyTorch's rules; none are computed. A
/// result asks for them where gradients are recorded, an argument does, and the operator is no
/// detach and makes no tensor of its own; a view asks where what it is a view of does.
namespace assay::trace {

/// Of the tensor itself, or of what it is a view of.
bool needs_gradients(const core::Tensor& tensor);
/// Of a tensor, or of one in a list of tensors.
bool needs_gradients(const core::Value& value);
/// Whether an operator gave the tensor its need for gradients: it is no leaf.
bool is_computed(const core::Tensor& tensor);
/// Takes a tensor's need away, and makes it a leaf.
void forget_gradients(const core::Tensor& tensor);

/// Whether gradients are recorded through the call.
bool records_gradients(const ops::Operator& op, std::span<const core::Value> args,
                       const ops::Context& context);
/// Marks what a call gave, with what records_gradients said before it; arguments that it wrote to
/// are among its results.
void carry_gradients(const ops::Operator& op, std::span<const core::Value> args,
                     const ops::Results& results, bool recorded);
/// Marks a result of a call through which gradients are recorded, whatever its operator is.
void mark_computed(const core::Value& result);
/// Where gradients are recorded, PyTorch refuses to write to a leaf that asks for them, and by
/// `out=` while an argument does: an input error, before the call.
void refuse_writes(const ops::Operator& op, std::span<const core::Value> args);
/// Whether an operator's results can need gradients because its arguments do.
bool passes_gradients(const ops::Operator& op);
/// Whether it reads a second tensor's type or sizes, and none of its elements.
bool reads_first_alone(const ops::Operator& op);
/// Whether the operator makes a tensor by options (a dtype, a device). Conversions take the same
/// options, and make none.
bool is_factory(const ops::Operator& op);

/// While it stands in a context's stack, what calls give is marked.
class GradientFollower final : public ops::Handler {
 public:
  ops::Stage stage() const override { return ops::Stage::record; }
  ops::Results call(const ops::Operator& op, std::span<const core::Value> args,
                    const ops::Next& next) override;
};

/// Views that came to ask for gradients by what they are views of say so themselves from now on.
void settle_gradients(const core::Value& value);

}  // namespace assay::trace
