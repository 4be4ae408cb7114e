#include "engine/trace/expression.h"

#include <unordered_map>

#include "engine/core/elements.h"
#include "engine/core/print.h"
#include "engine/ir/constant.h"
#include "engine/ir/graph.h"
#include "engine/ir/kinds.h"
#include "engine/ops/catalog.h"
#include "engine/ops/rule.h"
#include "engine/trace/scopes.h"

namespace assay::trace {
namespace {

constexpr int max_depth = 6;

/// Python's sign of an operator between two values, in the order in which it takes them, or "".
std::string_view sign_of(base::Symbol kind) {
  static const std::unordered_map<base::Symbol, std::string_view> signs{
#define BINARY(token, sign, op, method) {op, sign},
#define TRACED_SIGN(sign, op) {op, sign},
#include "engine/ops/python_names.def"
#undef TRACED_SIGN
#undef BINARY
  };
  auto found = signs.find(kind);
  return found == signs.end() || found->second == "in" ? "" : found->second;
}

std::string constant_text(const core::Value& value) {
  if (!value.is_tensor()) return core::repr(value);
  core::Tensor tensor = value.to_tensor();
  return tensor.numel() == 1 ? core::repr(core::first_element(tensor)) : "a constant";
}

std::string text(const ir::Value* value, int depth, bool inner);

/// Whether the value is a tensor with dimensions, as far as is known.
bool has_sizes(const ir::Value* value) {
  const auto* type = dynamic_cast<const core::TensorType*>(value->type().get());
  return type && !(type->info.sizes && type->info.sizes->empty());
}

/// The tensor further up that has the value's sizes: what is computed element by element from one
/// tensor is as large as that.
const ir::Value* source_of_sizes(const ir::Value* value) {
  while (true) {
    const ir::Node* node = value->node();
    bool elementwise = !node->is_sentinel() && node->op() && node->op()->rule().elementwise;
    const ir::Value* only = nullptr;
    for (const ir::Value* input : node->inputs()) {
      if (!has_sizes(input)) continue;
      elementwise = elementwise && !only;
      only = input;
    }
    if (!elementwise || !only) return value;
    value = only;
  }
}

/// Which dimension an `aten::size` asks for, counted from the front.
std::string dimension(const ir::Node* size) {
  auto held = ir::constant_value(size->input(1));
  const auto* type = dynamic_cast<const core::TensorType*>(size->input(0)->type().get());
  if (!held || !held->is_int()) return text(size->input(1), 1, false);
  int64_t dim = held->to_int();
  bool from_end = dim < 0 && type && type->info.sizes;
  return std::to_string(from_end ? dim + static_cast<int64_t>(type->info.sizes->size()) : dim);
}

std::string list_text(const ir::Node* node, int depth) {
  std::string out = "[";
  for (const ir::Value* input : node->inputs()) {
    out += (out.size() == 1 ? "" : ", ") + text(input, depth + 1, false);
  }
  return out + "]";
}

std::string call_text(const ir::Node* node, int depth) {
  std::string out(node->kind().name());
  out += "(";
  bool first = true;
  for (const ir::Value* input : node->inputs()) {
    auto held = ir::constant_value(input);
    if (held && held->is_none()) continue;
    if (!first) out += ", ";
    first = false;
    out += text(input, depth + 1, false);
  }
  return out + ")";
}

/// As the program calls it; where it calls several so, by its position: "input_2".
std::string input_text(const ir::Value* value) {
  const std::vector<ir::Value*>& all = value->graph().inputs();
  std::string name = program_name(value);
  size_t position = 0, namesakes = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] == value) position = i;
    if (all[i]->has_name() && program_name(all[i]) == name) ++namesakes;
  }
  return namesakes > 1 ? "input_" + std::to_string(position) : name;
}

std::string text(const ir::Value* value, int depth, bool inner) {
  const ir::Node* node = value->node();
  if (node->is_sentinel()) return input_text(value);
  if (auto held = ir::constant_value(node)) return constant_text(*held);
  const ScopeSymbols& symbols = scope_symbols();
  if (node->is(symbols.attribute)) return node->get<std::string>(symbols.path);
  if (node->op() && node->op()->keeps_values()) return text(node->input(0), depth, inner);
  if (depth > max_depth) return "...";
  if (node->is("aten::size")) {
    return text(source_of_sizes(node->input(0)), depth + 1, true) + ".size(" + dimension(node) +
           ")";
  }
  if (node->is(ir::kinds().list)) return list_text(node, depth);
  if (node->is("aten::numel")) return text(node->input(0), depth + 1, true) + ".numel()";
  if (node->is(ir::kinds().tuple_unpack) || node->is(ir::kinds().list_unpack)) {
    return text(node->input(0), depth + 1, true) + "[" + std::to_string(value->index()) + "]";
  }
  if (std::string_view sign = sign_of(node->kind()); !sign.empty()) {
    std::string out = text(node->input(0), depth + 1, true) + " " + std::string(sign) + " " +
                      text(node->input(1), depth + 1, true);
    return inner ? "(" + out + ")" : out;
  }
  return call_text(node, depth);
}

}  // namespace

std::string program_name(const ir::Value* value) {
  return value->name().substr(0, value->name().find('.'));
}

std::string expression_of(const ir::Value* value) { return text(value, 0, false); }

std::string expression_of_size(const ir::Value* tensor, const std::string& dim) {
  return text(source_of_sizes(tensor), 1, true) + ".size(" + dim + ")";
}

}  // namespace assay::trace
