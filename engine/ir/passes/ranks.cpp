#include "engine/ir/passes/ranks.h"

#include <algorithm>
#include <unordered_set>

#include "engine/ir/constant.h"
#include "engine/ops/catalog.h"

namespace assay::ir {
namespace {

using Kinds = std::unordered_set<base::Symbol>;

/// Operators whose result has as many dimensions as their first argument.
bool keeps_rank(const Node& node) {
  static const Kinds kinds = {"aten::_convolution",
                              "aten::conv1d",
                              "aten::conv2d",
                              "aten::conv3d",
                              "aten::convolution",
                              "aten::batch_norm",
                              "aten::layer_norm",
                              "aten::group_norm",
                              "aten::instance_norm",
                              "aten::relu",
                              "aten::relu_",
                              "aten::relu6",
                              "aten::relu6_",
                              "aten::hardtanh",
                              "aten::hardtanh_",
                              "aten::leaky_relu",
                              "aten::leaky_relu_",
                              "aten::elu",
                              "aten::elu_",
                              "aten::gelu",
                              "aten::silu",
                              "aten::silu_",
                              "aten::hardswish",
                              "aten::hardswish_",
                              "aten::hardsigmoid",
                              "aten::hardsigmoid_",
                              "aten::sigmoid",
                              "aten::sigmoid_",
                              "aten::tanh",
                              "aten::tanh_",
                              "aten::clamp",
                              "aten::clamp_",
                              "aten::dropout",
                              "aten::dropout_",
                              "aten::softmax",
                              "aten::log_softmax",
                              "aten::max_pool1d",
                              "aten::max_pool2d",
                              "aten::max_pool3d",
                              "aten::avg_pool1d",
                              "aten::avg_pool2d",
                              "aten::avg_pool3d",
                              "aten::adaptive_avg_pool1d",
                              "aten::adaptive_avg_pool2d",
                              "aten::adaptive_avg_pool3d",
                              "aten::upsample_nearest2d",
                              "aten::upsample_bilinear2d",
                              "aten::upsample_bicubic2d",
                              "aten::linear",
                              "aten::contiguous",
                              "aten::clone",
                              "aten::detach",
                              "aten::neg",
                              "aten::exp",
                              "aten::sqrt",
                              "aten::permute",
                              "aten::transpose",
                              "aten::slice",
                              "aten::flip",
                              "aten::pad",
                              "aten::add_",
                              "aten::sub_",
                              "aten::mul_",
                              "aten::div_",
                              "aten::to"};
  return kinds.count(node.kind()) != 0;
}

bool broadcasts(const Node& node) {
  static const Kinds kinds = {"aten::add", "aten::sub", "aten::mul", "aten::div"};
  return kinds.count(node.kind()) != 0;
}

bool is_tensor(const Value* value) { return value->type()->is(core::TypeKind::tensor); }

std::optional<int64_t> integer(const Value* value) {
  auto held = constant_value(value);
  return held && held->is_int() ? std::optional(held->to_int()) : std::nullopt;
}

}  // namespace

Ranks::Ranks(const Graph& graph, std::span<const Rank> inputs) {
  for (size_t i = 0; i < std::min(inputs.size(), graph.inputs().size()); ++i) {
    if (inputs[i]) known_.emplace(graph.inputs()[i], *inputs[i]);
  }
  block(*graph.block());
}

Rank Ranks::of(const Value* value) const {
  auto found = known_.find(value);
  return found == known_.end() ? Rank() : Rank(found->second);
}

void Ranks::block(const Block& block) {
  for (const Node* node : block) {
    for (const Block* inner : node->blocks()) this->block(*inner);
    if (node->is("prim::If")) {
      for (size_t i = 0; i < node->outputs().size(); ++i) {
        Rank one = of(node->block(0)->results()[i]), other = of(node->block(1)->results()[i]);
        if (one && one == other) known_.emplace(node->output(i), *one);
      }
    }
    bool single = node->outputs().size() == 1 && is_tensor(node->output());
    Rank rank = single ? result(*node) : Rank();
    if (rank && *rank >= 0) known_.emplace(node->output(), *rank);
  }
}

Rank Ranks::result(const Node& node) const {
  if (auto held = constant_value(&node)) {
    return held->is_tensor() ? Rank(held->to_tensor().dim()) : Rank();
  }
  if (!node.op() || node.inputs().empty()) return {};
  Rank first = of(node.input(0));
  if (node.is("aten::cat")) return joined(node);
  if (node.is("aten::embedding")) {
    Rank indices = of(node.input(1));
    return indices ? Rank(*indices + 1) : Rank();
  }
  if (!first) return {};
  if (keeps_rank(node)) return first;
  if (broadcasts(node)) {
    if (!is_tensor(node.input(1))) return first;
    Rank second = of(node.input(1));
    return second ? Rank(std::max(*first, *second)) : Rank();
  }
  if (node.is("aten::unsqueeze")) return *first + 1;
  if (node.op()->qualified_name == "aten::select.int") return *first - 1;
  if (node.op()->qualified_name == "aten::flatten.using_ints") return flattened(node);
  bool shaped = node.op()->qualified_name == "aten::view" || node.is("aten::reshape");
  if (shaped && node.input(1)->node()->is("prim::ListConstruct")) {
    return static_cast<int64_t>(node.input(1)->node()->inputs().size());
  }
  return {};
}

/// flatten(x, start, end): the dimensions from start to end become one.
Rank Ranks::flattened(const Node& node) const {
  int64_t rank = *of(node.input(0));
  auto start = integer(node.input(1)), end = integer(node.input(2));
  if (!start || !end) return {};
  if (rank == 0) return 1;
  auto wrapped = [&](int64_t dim) { return dim < 0 ? dim + rank : dim; };
  int64_t from = wrapped(*start), to = wrapped(*end);
  return 0 <= from && from <= to && to < rank ? Rank(rank - (to - from)) : Rank();
}

/// cat takes tensors of one rank (and empty ones of rank 1, which then decide nothing).
Rank Ranks::joined(const Node& node) const {
  const Node* list = node.input(0)->node();
  if (!list->is("prim::ListConstruct") || list->inputs().empty()) return {};
  Rank first = of(list->input(0));
  bool alike = std::all_of(list->inputs().begin(), list->inputs().end(),
                           [&](const Value* part) { return of(part) == first; });
  return alike ? first : Rank();
}

}  // namespace assay::ir
