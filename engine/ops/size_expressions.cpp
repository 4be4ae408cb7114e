#include "engine/ops/size_expressions.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/print.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {
namespace {

/// A program that counts in a loop makes an expression in every round.
constexpr int max_depth = 64;
constexpr size_t max_expressions = size_t{1} << 20;

core::Value scalar_tensor(int64_t value) {
  core::Tensor t = core::Tensor::empty({}, core::DType::int64);
  *t.device_data<int64_t>() = value;
  return t;
}

/// The number that a result is, also as a 0-dimensional tensor.
std::optional<core::Value> number_of(const core::Value& result) {
  if (result.is_number()) return result.with_identity(0);
  if (!result.is_tensor() || result.to_tensor().dim() != 0) return std::nullopt;
  core::Tensor t = result.to_tensor();
  if (t.dtype() == core::DType::int64) return core::Value(*t.device_data<int64_t>());
  if (t.dtype() == core::DType::boolean) return core::Value(*t.device_data<core::Bool>());
  return std::nullopt;
}

}  // namespace

SizeExpressions::Id SizeExpressions::symbol(std::string name, int64_t value) {
  Node node;
  node.name = std::move(name);
  node.symbols = {values_.size()};
  values_.push_back(value);
  nodes_.push_back(std::move(node));
  return static_cast<Id>(nodes_.size());
}

SizeExpressions::Id SizeExpressions::apply(const Operator& op, std::vector<Operand> operands,
                                           int64_t value) {
  std::string key = key_of(op, operands);
  auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  Node node;
  node.op = &op;
  for (const Operand& operand : operands) {
    if (operand.id == 0) continue;
    const Node& below = at(operand.id);
    node.depth = std::max(node.depth, below.depth + 1);
    std::vector<size_t> merged;
    std::set_union(node.symbols.begin(), node.symbols.end(), below.symbols.begin(),
                   below.symbols.end(), std::back_inserter(merged));
    node.symbols = std::move(merged);
  }
  if (nodes_.size() >= max_expressions) return 0;
  if (node.depth > max_depth) {
    return known_[key] = symbol(fmt::format("a result of {}", op.qualified_name), value);
  }
  node.operands = std::move(operands);
  nodes_.push_back(std::move(node));
  return known_[key] = static_cast<Id>(nodes_.size());
}

std::optional<core::Value> SizeExpressions::evaluate(Context& context, Id id,
                                                     const Assignment& values) const {
  const Node& node = at(id);
  if (!node.op) return core::Value(values[node.symbols[0]]);
  core::Values args;
  for (const Operand& operand : node.operands) {
    core::Value value = operand.constant;
    if (operand.id != 0) {
      std::optional<core::Value> found = evaluate(context, operand.id, values);
      if (!found) return std::nullopt;
      value = *found;
    }
    bool wraps = operand.as_tensor && value.is_int();
    args.push_back(wraps ? scalar_tensor(value.to_int()) : std::move(value));
  }
  try {
    Results results = call(context, *node.op, args);
    return results.empty() ? std::nullopt : number_of(results[0]);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

std::vector<SizeExpressions::Id> SizeExpressions::operands_of(Id id) const {
  std::vector<Id> ids;
  for (const Operand& operand : at(id).operands) {
    if (operand.id != 0) ids.push_back(operand.id);
  }
  return ids;
}

std::string SizeExpressions::operand_text(const Operand& operand) const {
  return operand.id != 0 ? text(operand.id) : core::repr(operand.constant);
}

std::string SizeExpressions::text(Id id) const {
  const Node& node = at(id);
  if (!node.op) return node.name;
  std::vector<std::string> parts;
  for (const Operand& operand : node.operands) parts.push_back(operand_text(operand));
  return fmt::format("{}({})", node.op->symbol.name(), base::join(parts, ", "));
}

std::string SizeExpressions::key_of(const Operator& op,
                                    const std::vector<Operand>& operands) const {
  std::string key = op.qualified_name;
  for (const Operand& operand : operands) {
    key += operand.as_tensor ? " t" : " ";
    key += operand.id != 0
               ? fmt::format("#{}", operand.id)
               : fmt::format("{}{}", operand.constant.kind_name(), core::repr(operand.constant));
  }
  return key;
}

}  // namespace assay::ops
