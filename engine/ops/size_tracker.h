#pragma once

#include <string>
#include <vector>

#include "engine/ops/handler.h"
#include "engine/ops/size_expressions.h"

namespace assay::ops {

/// Follows sizes through a program: while it is in a context's stack, every number that comes from
/// sizes of its inputs has an identity (core::Value::identity), the expression over those sizes
/// that it is; so has every size of a tensor. Numbers are followed through operators, so the
/// interpreter must not compute them itself (interp::LowerOptions::scalar_instructions off).
///
/// How an operator's results depend on its arguments is found by asking: its rule is run on tensors
/// without memory (meta) at other sizes, and the expression that fits every answer is taken. Where
/// the rule raises at other sizes (two sizes that must be equal), fewer answers decide. What fits
/// no expression of the forms below, or depends on values (nonzero), is a symbol of its own.
///
/// Forms are those of size_fit.h over the expressions among the arguments.
class SizeTracker final : public Handler {
 public:
  using Id = SizeExpressions::Id;

  /// For calls in this context; it must live longer.
  explicit SizeTracker(const Context& context);

  /// Makes every size of the tensor a symbol: `x.size(0)`, `x.size(1)`. The tensor object itself is
  /// followed from now on.
  void follow(const std::string& name, const core::Tensor& input);
  /// The number as a symbol of this name.
  core::Value follow(const std::string& name, int64_t input);

  const SizeExpressions& expressions() const { return *expressions_; }
  /// Which expression a size of the tensor is; 0 where it depends on no input's size.
  Id size(const core::Tensor& tensor, size_t dim) const;
  /// Which expression the element of a 0-dimensional integer tensor is; 0 where it is none.
  Id element(const core::Tensor& tensor) const;
  /// An expression at other values of the symbols; nothing if an operator raises there.
  std::optional<core::Value> evaluate(Id id, const SizeExpressions::Assignment& values);

  Stage stage() const override { return Stage::record; }
  Results call(const Operator& op, std::span<const core::Value> args, const Next& next) override;

 private:
  class Question;

  core::Value elsewhere(const core::Value& arg, const SizeExpressions::Assignment& values);
  std::optional<std::vector<SizeExpressions::Operand>> operands_of(
      std::span<const core::Value> args) const;
  void name_number(const Operator& op, std::vector<SizeExpressions::Operand> operands,
                   core::Value& result);
  Id simplest(Id id);

  base::Ref<SizeExpressions> expressions_ = base::make_ref<SizeExpressions>();
  Context asking_;  // Rules and number operators are asked here, heard by nobody.
};

}  // namespace assay::ops
