#include "engine/optimize/channels_last.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
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

ops::Layout layout_of(const ir::Node* node) {
  return node->op() ? node->op()->layout() : ops::Layout::needs_rows;
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
    static const ops::Operator& fused = ops::get_operator("assay::convolution");
    static const base::Symbol join("aten::cat");
    if (node->op() == &fused) return convolution(node);
    if (node->op() && node->is(join)) return concatenation(node);
    auto images = images_of(node);
    bool all_last = !images.empty() && std::all_of(images.begin(), images.end(), [&](size_t i) {
      return is_last(node->input(i));
    });
    if (all_last) mark(node, images);
  }

  /// The inputs whose layout the node's one result takes over, if it does so. Constants of at most
  /// one dimension have none.
  static std::vector<size_t> images_of(const Node* node) {
    ops::Layout layout = layout_of(node);
    bool joins = layout == ops::Layout::joins_layouts;
    if (node->outputs().size() != 1 || (!joins && layout != ops::Layout::keeps_layout)) return {};
    std::vector<size_t> images;
    for (size_t i = 0; i < (joins ? node->inputs().size() : 1); ++i) {
      auto held = constant_value(node->input(i));
      bool plain = held && (!held->is_tensor() || held->to_tensor().dim() <= 1);
      if (!plain && node->input(i)->type()->is(core::TypeKind::tensor)) images.push_back(i);
    }
    return images;
  }

  /// Whether the device convolves images of this type sooner where channels lie last: GPUs do where
  /// their matrix units work, which is in the 16-bit types.
  static bool gains(const core::Tensor& weight) {
    return weight.device().type == core::DeviceType::cpu || weight.item_size() == 2;
  }

  void convolution(Node* node) {
    auto weight = constant_value(node->input(arg::weight));
    bool image = weight && weight->is_tensor() && weight->to_tensor().dim() == 4 &&
                 gains(weight->to_tensor());
    const Value* input = node->input(arg::input);
    if (!image || (!is_last(input) && row_major_.count(input) == 0)) return;
    const Value* residual = node->input(arg::residual);
    bool none = constant_value(residual).has_value();
    if (!none && !is_last(residual)) return;
    Node* yes = graph_.create_constant(core::Value(true))->insert_before(node);
    node->replace_input(arg::channels_last, yes->output());
    mark(node, {0});
    if (!none) accept(node, node->input_index(arg::residual));
  }

  /// Channels joined of images that all lie channels-last.
  void concatenation(Node* node) {
    Node* list = node->input(arg::tensors)->node();
    auto dim = constant_value(node->input(arg::dim));
    bool channels = dim && dim->is_int() && dim->to_int() == 1;
    if (!channels || !list->is(ir::kinds().list) || list->output()->uses().size() != 1 ||
        list->inputs().empty()) {
      return;
    }
    const auto& parts = list->inputs();
    if (!std::all_of(parts.begin(), parts.end(), [&](Value* v) { return is_last(v); })) return;
    for (size_t i = 0; i < parts.size(); ++i) accept(list, i);
    last_.insert(node->output());
  }

  /// The node's result is channels-last, and it reads these channels-last arguments as they are.
  void mark(Node* node, const std::vector<size_t>& images) {
    last_.insert(node->output());
    for (size_t i : images) accept(node, i);
  }

  void accept(Node* node, size_t index) { accepted_[node].insert(index); }

  bool accepts(Node* node, size_t index) const {
    if (layout_of(node) == ops::Layout::ignores_layout) return true;
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
