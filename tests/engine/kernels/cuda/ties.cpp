#include "tests/engine/kernels/cuda/ties.h"

#include <cmath>
#include <set>

#include "engine/core/elements.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::testing {
namespace {

using core::Value;

const Value& argument(const ops::Operator& op, const core::Values& args, const char* name) {
  return args[*op.schema.find_argument(name)];
}

bool same_number(const core::Scalar& a, const core::Scalar& b) {
  double x = a.to_double(), y = b.to_double();
  return x == y || (std::isnan(x) && std::isnan(y));
}

/// The elements that the indices lead to.
core::Tensor found_by(const ops::Operator& op, const core::Values& args, const Value& indices,
                      ops::Context& reference) {
  Value dim = argument(op, args, "dim"), at = indices;
  bool keeps = !op.schema.find_argument("keepdim") || argument(op, args, "keepdim").to_bool() ||
               args[0].to_tensor().dim() == 0;
  if (!keeps) at = ops::call(reference, "aten::unsqueeze", {at, dim});
  Value found = ops::call(reference, "aten::gather", {args[0], dim, at, false});
  return (keeps ? found : ops::call(reference, "aten::squeeze.dim", {found, dim})).to_tensor();
}

}  // namespace

bool leaves_ties_open(const ops::Operator& op, const core::Values& args) {
  static const std::set<std::string> open{"aten::sort", "aten::sort.stable", "aten::topk",
                                          "aten::kthvalue", "aten::mode"};
  if (open.count(op.qualified_name) == 0) return false;
  auto stable = op.schema.find_argument("stable");
  return !stable || args[*stable].is_none() || !args[*stable].to_bool();
}

std::string settle_ties(const ops::Operator& op, const core::Values& args, core::Values& results,
                        ops::Context& reference) {
  core::Tensor values = results[0].to_tensor();
  auto found = core::elements(found_by(op, args, results[1], reference));
  if (!std::ranges::equal(found, core::elements(values), same_number))
    return "an index leads to another element than the value";
  if (core::is_floating(values.dtype()))
    results[0] = ops::call(reference, "aten::add.Scalar", {results[0], 0.0, 1});
  if (op.qualified_name == "aten::topk")  // In any order, unless it is asked for.
    results[0] = ops::call(reference, "aten::sort", {results[0], argument(op, args, "dim"), true});
  results[1] = results[0];
  return "";
}

}  // namespace assay::kernels::testing
