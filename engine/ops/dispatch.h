#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"
#include "engine/ops/context.h"

namespace assay::ops {

class Dispatcher;

/// One call of an operator in flight: what kernels and composites see. Arguments are complete
/// (defaults filled in) and of the schema's types, in schema order of the *functional* operator.
class Call {
 public:
  Call(const Operator& called, Context& call_context, std::span<const core::Value> call_args)
      : op(called), context(call_context), args(call_args) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const Operator& op;  ///< The functional operator.
  Context& context;
  std::span<const core::Value> args;

  // Arguments by name: `call.integer(arg::dim)`. A name that the operator lacks is an internal
  // error. Wrong kinds raise input errors that name operator and argument.
  bool has(ArgName name) const { return op.has(name); }
  /// As it was given.
  const core::Value& value(ArgName name) const { return args[op.position(name)]; }
  bool is_none(ArgName name) const { return value(name).is_none(); }
  /// None gives an undefined tensor.
  core::Tensor tensor(ArgName name) const { return value(name).to_tensor(); }
  int64_t integer(ArgName name) const { return value(name).to_int(); }
  int64_t integer_or(ArgName name, int64_t otherwise) const;
  std::optional<int64_t> optional_integer(ArgName name) const;
  double floating(ArgName name) const { return value(name).to_scalar().to_double(); }
  bool boolean(ArgName name) const { return value(name).to_scalar().to_bool(); }
  core::Scalar scalar(ArgName name) const { return value(name).to_scalar(); }
  const std::string& string(ArgName name) const { return value(name).to_string(); }
  /// int[], or a single int as a list of one; None as an empty list.
  core::Dims ints(ArgName name) const;
  /// int[n]: a list of one is repeated n times.
  core::Dims ints(ArgName name, size_t n) const;
  std::vector<double> floats(ArgName name) const;
  /// Tensor[]; None elements (Tensor?[]) are undefined tensors.
  std::vector<core::Tensor> tensors(ArgName name) const;
  /// ScalarType?
  core::DType dtype_or(ArgName name, core::DType otherwise) const;
  std::optional<core::DType> dtype(ArgName name) const;
  /// Device?; `cuda` without an index means cuda:0.
  core::Device device_or(ArgName name, core::Device otherwise) const;
  // The first two, for operators that share a function but not the names of their operands. What
  // goes over all arguments iterates over `args`.
  const core::Value& first() const { return args[0]; }
  const core::Value& second() const { return args[1]; }

  /// Ends the call with these results: rules that need no kernel, kernels of `computed` operators.
  void finish(core::Value result);
  void finish(core::Values results);
  bool finished() const { return finished_; }
  bool declared() const { return declared_; }

  // For kernels.
  /// The i-th declared result.
  core::Tensor out(size_t i = 0) const { return results[i].to_tensor(); }
  /// Where the call runs: the tensors' common device.
  core::Device device() const { return device_; }
  core::Tensor new_empty(core::DimSpan sizes, core::DType dtype) const;
  /// Calls another operator and returns its (first) result.
  core::Value call(std::string_view qualified_name, core::Values call_args) const;
  core::Tensor call_tensor(std::string_view qualified_name, core::Values call_args) const {
    return call(qualified_name, std::move(call_args)).to_tensor();
  }
  /// Tell the handlers.
  void synchronized() const;
  void copied(core::Device from, core::Device to, size_t bytes) const;

  Results results;

 protected:
  core::Device device_;
  bool declared_ = false;
  bool finished_ = false;
};

/// A call as its rule sees it: results can be declared, while the dispatcher that allocates them is
/// there. Kernels, which may run after that, have a Call.
class RuleCall final : public Call {
 public:
  // Each result in order, on the tensors' common device, where the kernel will run (row-major where
  // no strides are given); the other way is to finish the call.
  void declare(core::DimSpan sizes, core::DType dtype);
  void declare(core::DimSpan sizes, core::DimSpan strides, core::DType dtype);
  /// For operators that create or copy across devices: the kernel runs on `device`, too, wherever
  /// the tensors are, so it must not read them unless it copies between devices.
  void declare_on(core::Device device, core::DimSpan sizes, core::DimSpan strides,
                  core::DType dtype);

 private:
  friend class Dispatcher;
  RuleCall(const Dispatcher& dispatcher, const Operator& called, Context& call_context,
           std::span<const core::Value> call_args)
      : Call(called, call_context, call_args), dispatcher_(dispatcher) {}

  const Dispatcher& dispatcher_;
};

/// Calls an operator: fills in defaults for missing trailing arguments, passes the handlers, checks
/// devices, applies the rule, chooses a kernel. `args` are in schema order and of the schema's
/// types. Returns the results, one Value per declared return.
/// Errors: input (bad shapes, devices, dtypes: PyTorch's words), unsupported (no kernel).
Results call(Context& context, const Operator& op, std::span<const core::Value> args);

/// As call(), where the caller reads `args` no more: the result of an elementwise operator may lie
/// in the memory of the first, where nothing else can reach that. Programs that compute step by
/// step then need no memory for each step.
Results call_spending(Context& context, const Operator& op, std::span<const core::Value> args);

/// By name, with the first result.
core::Value call(Context& context, std::string_view qualified_name, core::Values args);
/// The tensor with elements of this type on this device: itself where it is so already.
core::Tensor relocate(Context& context, const core::Tensor& tensor, core::Device device,
                      core::DType dtype);

/// What call() does behind the handlers.
Results call_kernels(Context& context, const Operator& op, std::span<const core::Value> args);

/// The arguments of a call with defaults in place of missing trailing ones. Input error if one is
/// missing that has none, or if there are too many.
class CompleteArguments {
 public:
  CompleteArguments(const Operator& op, std::span<const core::Value> given) : all_(given) {
    if (given.size() != op.argument_names.size()) complete(op);
  }
  std::span<const core::Value> all() const { return all_; }

 private:
  void complete(const Operator& op);

  std::span<const core::Value> all_;
  core::Values completed_;
};

}  // namespace assay::ops
