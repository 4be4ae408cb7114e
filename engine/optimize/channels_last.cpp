#include "engine/optimize/channels_last.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/constant.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"

namespace assay::optimize {

using ir::constant_value;
using ir::Graph;
using ir::Node;
using ir::Use;
using ir::Value;

namespace {

namespace arg = ops::arg;

using Names = std::unordered_set<std::string>;

/// Operators of one image tensor whose result lies as that tensor does.
bool keeps_layout(const Node* node) {
  static const Names names = {"aten::max_pool2d",
                              "aten::avg_pool2d",
                              "aten::adaptive_avg_pool2d",
                              "aten::relu",
                              "aten::relu6",
                              "aten::hardtanh",
                              "aten::clamp",
                              "aten::sigmoid",
                              "aten::tanh",
                              "aten::silu",
                              "aten::hardswish",
                              "aten::hardsigmoid",
                              "aten::leaky_relu",
                              "aten::gelu",
                              "aten::elu",
                              "aten::mul.Scalar",
                              "aten::add.Scalar",
                              "aten::div.Scalar",
                              "assay::scale_channels",
                              "aten::sub.Scalar",
                              "aten::upsample_nearest2d.vec",
                              "aten::upsample_bilinear2d.vec"};
  return node->op() && names.count(node->op()->qualified_name) != 0;
}

/// Operators of two image tensors of which both must have the same layout.
bool joins_layouts(const Node* node) {
  static const Names names = {"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor"};
  return node->op() && names.count(node->op()->qualified_name) != 0;
}

/// Operators that do not care how their argument lies.
bool ignores_layout(const Node* node) {
  static const Names names = {"aten::size",   "aten::size.int", "aten::dim",
                              "prim::device", "prim::dtype",    "aten::numel"};
  return node->op() && names.count(node->op()->qualified_name) != 0;
}

class Assignment {
 public:
  explicit Assignment(Graph& graph) : graph_(graph) {}

  void run() {
    for (Value* input : graph_.inputs()) row_major_.insert(input);
    for (Node* node : graph_.block()->nodes()) assign(node);
    restore();
  }

 private:
  bool is_last(const Value* value) const { return last_.count(value) != 0; }

  void assign(Node* node) {
    if (node->op() && node->op()->qualified_name == "assay::convolution") return convolution(node);
    if (keeps_layout(node) && is_last(node->input(0))) mark(node);
    if (joins_layouts(node) && is_last(node->input(0)) && is_last(node->input(1))) mark(node);
    if (node->op() && node->is("aten::cat")) concatenation(node);
  }

  void convolution(Node* node) {
    auto weight = constant_value(node->input(arg::weight));
    bool image = weight && weight->is_tensor() && weight->to_tensor().dim() == 4;
    const Value* input = node->input(arg::input);
    if (!image || (!is_last(input) && row_major_.count(input) == 0)) return;
    const Value* residual = node->input(arg::residual);
    bool none = constant_value(residual).has_value();
    if (!none && !is_last(residual)) return;
    Node* yes = graph_.create_constant(core::Value(true))->insert_before(node);
    node->replace_input(arg::channels_last, yes->output());
    mark(node);
    if (!none) accept(node, node->input_index(arg::residual));
  }

  /// Channels joined of images that all lie channels-last.
  void concatenation(Node* node) {
    Node* list = node->input(arg::tensors)->node();
    auto dim = constant_value(node->input(arg::dim));
    bool channels = dim && dim->is_int() && dim->to_int() == 1;
    if (!channels || !list->is("prim::ListConstruct") || list->output()->uses().size() != 1 ||
        list->inputs().empty()) {
      return;
    }
    const auto& parts = list->inputs();
    if (!std::all_of(parts.begin(), parts.end(), [&](Value* v) { return is_last(v); })) return;
    for (size_t i = 0; i < parts.size(); ++i) accept(list, i);
    last_.insert(node->output());
  }

  /// The node's result is channels-last, and it reads its channels-last arguments as they are.
  void mark(Node* node) {
    last_.insert(node->output());
    accept(node, 0);
    if (joins_layouts(node)) accept(node, 1);
  }

  void accept(Node* node, size_t index) { accepted_[node].insert(index); }

  bool accepts(Node* node, size_t index) const {
    if (ignores_layout(node)) return true;
    auto found = accepted_.find(node);
    return found != accepted_.end() && found->second.count(index) != 0;
  }

  /// Every other reader of a channels-last value reads a row-major copy of it.
  void restore() {
    static const ops::Operator& op = ops::get_operator("assay::row_major");
    std::vector<Value*> values;
    graph_.for_each([&](Node* node) {
      for (Value* output : node->outputs()) {
        if (is_last(output)) values.push_back(output);
      }
    });
    for (Value* value : values) {
      std::vector<Use> others;
      for (const Use& use : value->uses()) {
        if (!accepts(use.user, use.index)) others.push_back(use);
      }
      if (others.empty()) continue;
      Node* copy = graph_.create(op.symbol, {value}, 1)->set_op(&op);
      copy->set_range(value->node()->range());
      copy->insert_after(value->node());
      for (const Use& use : others) use.user->replace_input(use.index, copy->output());
    }
  }

  Graph& graph_;
  std::unordered_set<const Value*> row_major_, last_;
  std::unordered_map<const Node*, std::unordered_set<size_t>> accepted_;
};

}  // namespace

void use_channels_last(Graph& graph) { Assignment(graph).run(); }

}  // namespace assay::optimize
