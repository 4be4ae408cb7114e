#include "engine/ops/infer/pointwise.h"

#include <algorithm>

#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/ops/constraint.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {
namespace {

using core::DType;
using core::Tensor;
using core::Value;

std::vector<Tensor> tensor_arguments(const Call& call) {
  std::vector<Tensor> tensors;
  for (const auto& v : call.args) {
    if (v.is_tensor()) tensors.push_back(v.to_tensor());
  }
  return tensors;
}

/// Declares the one result: the operands' common shape, laid out as they are.
void declare_broadcast(RuleCall& call, std::span<const Tensor> operands, DType dtype) {
  core::Dims sizes;
  for (const Tensor& t : operands) sizes = core::broadcast(sizes, t.sizes());
  call.declare(sizes, elementwise_strides(sizes, operands), dtype);
}

/// Whether a tensor of type `dtype` keeps it beside a Python number of type `number`.
bool keeps_dtype(DType dtype, DType number) {
  if (core::is_floating(dtype)) return !core::is_complex(number);
  return core::is_integral(dtype, false) && core::is_integral(number, true);
}

/// The first of the tensors, if all of them have one size and type and are row-major, and numbers
/// do not change that type: most calls, and their results look like it.
const core::TensorImpl* all_alike(const Call& call) {
  const core::TensorImpl* first = nullptr;
  bool numbers = false;
  for (const Value& v : call.args) {
    if (!v.is_tensor()) continue;
    const core::TensorImpl* t = v.tensor_impl();
    numbers |= t->wrapped_number;
    if (t->wrapped_number) continue;
    bool fits =
        first ? t->dtype == first->dtype && t->sizes == first->sizes && t->strides == first->strides
              : core::is_contiguous(t->sizes, t->strides);
    if (!fits) return nullptr;
    if (!first) first = t;
  }
  if (!numbers || !first) return first;
  for (const Value& v : call.args) {
    if (!v.is_tensor() || !v.tensor_impl()->wrapped_number) continue;
    // Beside a number, a dimension of size 1 keeps the stride that it happens to have.
    bool plain = first->strides == core::contiguous_strides(first->sizes);
    if (!plain || !keeps_dtype(first->dtype, v.tensor_impl()->dtype)) return nullptr;
  }
  return first;
}

template <DType (*dtype_of_result)(DType promoted, const Call& call)>
void broadcast_with(RuleCall& call) {
  if (const core::TensorImpl* like = all_alike(call)) {
    return call.declare(like->sizes, dtype_of_result(like->dtype, call));
  }
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
DType real_floating(DType promoted, const Call& call) {
  return core::real_of(floating(promoted, call));
}
DType of_first(DType, const Call& call) { return tensor_arguments(call).at(0).dtype(); }
DType widest(DType promoted, const Call&) {
  return core::is_complex(promoted) ? DType::complex128 : DType::float64;
}

/// The operands, in which numbers promote as Python numbers do.
std::vector<Tensor> with_numbers(const Call& call) {
  std::vector<Tensor> operands;
  for (const Value& v : call.args) {
    if (v.is_tensor()) operands.push_back(v.to_tensor());
    if (v.is_number()) {
      operands.push_back(wrapped_number(v.to_scalar(), call.context.default_dtype));
    }
  }
  return operands;
}

void check_alpha(const Call& call, DType promoted) {
  const Value& given = call.value(arg::alpha);
  if (given.is_int() && given.to_int() == 1) return;  // As it is where nobody gives it.
  core::Scalar alpha = given.to_scalar();
  base::check(!alpha.is_bool() || promoted == DType::boolean,
              "Boolean alpha only supported for Boolean results.");
  bool integral_alpha = alpha.is_int() || alpha.is_bool();
  base::check(core::is_floating(promoted) || core::is_complex(promoted) || integral_alpha,
              "For integral input tensors, argument alpha must not be a floating point number.");
  base::check(core::is_complex(promoted) || !alpha.is_complex(),
              "For non-complex input tensors, argument alpha must not be a complex number.");
  check_fits(call.op, call.op.position(arg::alpha), alpha, promoted);
}

/// Requires that the result's type holds all numbers of a call.
void check_numbers(const Call& call, DType dtype) {
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (call.args[i].is_number()) check_fits(call.op, i, call.args[i].to_scalar(), dtype);
  }
}

/// float16 is computed in float32, so that greater numbers do no harm.
DType with_number(DType promoted, const Call& call) {
  check_numbers(call, promoted == DType::float16 ? DType::float32 : promoted);
  return promoted;
}

DType sum(DType promoted, const Call& call) {
  check_alpha(call, promoted);
  return promoted;
}

DType difference(DType promoted, const Call& call) {
  bool first = call.value(arg::self).tensor_impl()->dtype == DType::boolean;
  bool second = call.value(arg::other).tensor_impl()->dtype == DType::boolean;
  base::check(!first || !second,
              "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` "
              "or `logical_xor()` operator instead.");
  base::check(!first && !second,
              "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
              "trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  check_alpha(call, promoted);
  return promoted;
}

DType quotient(DType promoted, const Call& call) {
  if (call.is_none(arg::rounding_mode)) return floating(promoted, call);
  const std::string& mode = call.string(arg::rounding_mode);
  base::check(mode == "trunc" || mode == "floor",
              "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", mode,
              "'");
  return promoted;
}

/// rsub is sub with its operands exchanged: the second one's layout comes first.
void reversed_difference(RuleCall& call) {
  auto operands = tensor_arguments(call);
  DType dtype = difference(result_type(operands, call.context.default_dtype), call);
  std::swap(operands[0], operands[1]);
  declare_broadcast(call, operands, dtype);
}

/// Real tensors are their own conjugates, not copies of them.
void conjugated(RuleCall& call) {
  const core::TensorImpl& t = *call.value(arg::self).tensor_impl();
  if (!core::is_complex(t.dtype)) return call.finish(call.value(arg::self));
  broadcast_with<same>(call);
}

void clamped(RuleCall& call) {
  auto bounds = call.args.subspan(1);
  bool some =
      std::any_of(bounds.begin(), bounds.end(), [](const Value& v) { return !v.is_none(); });
  base::check(some, "torch.clamp: At least one of 'min' or 'max' must not be None");
  auto operands = with_numbers(call);
  DType dtype = result_type(operands, call.context.default_dtype);
  base::check(!core::is_complex(dtype), "clamp is not supported for complex types");
  check_numbers(call, dtype);
  declare_broadcast(call, tensor_arguments(call), dtype);
}

/// A number that a tensor is raised to is held by the result's type where kernels exist for
/// numbers: those of integers and of float16 and bfloat16.
DType power(DType promoted, const Call& call) {
  bool wide =
      core::is_complex(promoted) || promoted == DType::float32 || promoted == DType::float64;
  size_t i = call.op.position(arg::exponent);
  Tensor exponent = wide ? Tensor() : call.args[i].to_tensor();
  if (exponent && exponent.is_wrapped_number() && core::has_bytes(exponent)) {
    check_fits(call.op, i, core::first_element(exponent), promoted);
  }
  return promoted;
}

void chosen(RuleCall& call) {
  auto operands = tensor_arguments(call);
  DType condition = operands[0].dtype();
  base::check(condition == DType::boolean || condition == DType::uint8,
              "where expected condition to be a boolean tensor, but got a tensor with dtype ",
              core::script_name(condition));
  DType dtype = result_type(std::span(operands).subspan(1), call.context.default_dtype);
  for (size_t i = 1; i < operands.size(); ++i) {
    bool number = operands[i].is_wrapped_number() && core::has_bytes(operands[i]);
    if (number) check_fits(call.op, i, core::first_element(operands[i]), dtype);
  }
  declare_broadcast(call, operands, dtype);
}

DType complex(DType promoted, const Call& call) {
  bool same_type =
      call.value(arg::abs).tensor_impl()->dtype == call.value(arg::angle).tensor_impl()->dtype;
  base::check(same_type && core::is_floating(promoted),
              "Expected both inputs to be Half, Float or Double tensors of one type but got ",
              core::script_name(call.value(arg::abs).tensor_impl()->dtype), " and ",
              core::script_name(call.value(arg::angle).tensor_impl()->dtype));
  return core::complex_of(promoted);
}

void split_exponent(RuleCall& call) {
  Tensor t = call.tensor(arg::self);
  base::check(core::is_floating(t.dtype()), "torch.frexp() only supports floating-point dtypes");
  core::Dims strides = elementwise_strides(t.sizes(), std::span(&t, 1));
  call.declare(t.sizes(), strides, t.dtype());
  call.declare(t.sizes(), strides, DType::int32);
}

}  // namespace

const Rule pointwise{broadcast_with<same>, true, Devices::scalars_follow};
const Rule pointwise_sum{broadcast_with<sum>, true, Devices::scalars_follow};
const Rule pointwise_number{broadcast_with<with_number>, true, Devices::scalars_follow};
const Rule pointwise_power{broadcast_with<power>, true, Devices::scalars_follow};
const Rule pointwise_difference{broadcast_with<difference>, true, Devices::scalars_follow};
const Rule pointwise_reversed_difference{reversed_difference, true, Devices::scalars_follow};
const Rule pointwise_conjugate{conjugated, true, Devices::scalars_follow};
const Rule pointwise_quotient{broadcast_with<quotient>, true, Devices::scalars_follow};
const Rule pointwise_float{broadcast_with<floating>, true, Devices::scalars_follow};
const Rule pointwise_widest{broadcast_with<widest>, true, Devices::scalars_follow};
const Rule pointwise_bool{broadcast_with<boolean>, true, Devices::scalars_follow};
const Rule pointwise_first{broadcast_with<of_first>, true, Devices::scalars_follow};
const Rule pointwise_real{broadcast_with<real>, true, Devices::scalars_follow};
const Rule pointwise_real_float{broadcast_with<real_floating>, true, Devices::scalars_follow};
const Rule pointwise_clamp{clamped, true};
const Rule pointwise_where{chosen, true, Devices::scalars_follow};
const Rule pointwise_polar{broadcast_with<complex>};
const Rule pair_of_type{split_exponent};

}  // namespace assay::ops::infer
