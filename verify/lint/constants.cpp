// Tensors that the graph holds or gives although no input reaches them: captured_tensor,
// constant_output.

#include <algorithm>

#include "engine/ir/kinds.h"
#include "verify/lint/checks.h"

namespace assay::verify::lint {
namespace {

/// Whether the constant was a list that `torch.tensor` was given in forward: tracing records the
/// conversion of such a list, but not where its numbers come from.
bool is_list_of_numbers(const View& view, size_t s) {
  static const base::Symbol fresh("aten::lift_fresh"), to("aten::to");
  if (view.step(s).is(fresh) && !view.flow.readers(s).empty()) {
    s = view.flow.readers(s).front().step;
  }
  return view.step(s).is(to);
}

/// Few numbers with a shape that is made for broadcasting: the mean of each colour, for example.
bool is_written_for_broadcasting(const core::Tensor& t) {
  constexpr int64_t most = 16;
  return t.numel() <= most && std::ranges::count(t.sizes(), 1) > 0;
}

struct Judgement {
  Strength strength;
  const char* why;
};

Judgement judge_constant(const View& view, size_t s, const core::Tensor& t) {
  if (view.weights.are_frozen()) {
    return {Strength::note, "the archive is frozen: its weights are constants, too"};
  }
  const char* held = "Python held it while the model was traced: it follows no input";
  if (t.numel() <= 1) return {Strength::note, held};
  if (is_list_of_numbers(view, s)) {
    return {Strength::possible, "it is made of numbers, which may have followed the input"};
  }
  return {is_written_for_broadcasting(t) ? Strength::possible : Strength::likely, held};
}

void look_at(const View& view, size_t s, size_t i, std::vector<Sign>& signs) {
  const Operand& o = view.step(s).operands[i];
  bool tensor = o.kind == Operand::Kind::literal && o.literal.is_tensor();
  core::Tensor t = tensor ? o.literal.to_tensor() : core::Tensor();
  if (!t || t.dim() == 0) return;
  Judgement found = judge_constant(view, s, t);
  Flow::Place use = view.flow.served({s, i});
  Sign sign = view.sign_at(use.step, RuleId::captured_tensor, found.strength, found.why);
  sign.literal = literal_text(o.literal);
  const ops::Operator* op = operator_of(view.step(use.step));
  bool named = op && use.operand < op->schema.arguments.size();
  sign.role = named ? op->schema.arguments[use.operand].name : "";
  signs.push_back(std::move(sign));
}

/// An output, or what is gathered into one.
struct Leaf {
  size_t step;
  size_t operand;
};

/// The leaves of the outputs. Each gathering step is opened once.
std::vector<Leaf> leaves_of(const View& view) {
  std::vector<Leaf> leaves;
  std::vector<bool> opened(view.program.steps.size());
  std::vector<size_t> open{view.program.steps.size() - 1};
  for (size_t next = 0; next < open.size(); ++next) {
    const Step& step = view.step(open[next]);
    for (size_t i = 0; i < step.operands.size(); ++i) {
      const Operand& o = step.operands[i];
      bool gathered = o.kind == Operand::Kind::result &&
                      (gathers(view.step(o.step)) || view.step(o.step).is(ir::kinds().dict));
      if (!gathered) {
        leaves.push_back({open[next], i});
      } else if (!opened[o.step]) {
        opened[o.step] = true;
        open.push_back(o.step);
      }
    }
  }
  return leaves;
}

bool has_inputs(const View& view) {
  const auto& inputs = view.program.graph->inputs();
  return std::ranges::any_of(inputs, [](const ir::Value* v) { return holds_tensors(v->type()); });
}

/// A sign for an output that holds the same for every input; nothing for others, and numbers.
std::optional<Sign> judge_output(const View& view, const Leaf& leaf) {
  const Operand& o = view.step(leaf.step).operands[leaf.operand];
  if (view.flow.follows_input(o)) return std::nullopt;
  auto sign = [&](size_t s, Strength strength, const char* why) {
    return view.sign_at(s, RuleId::constant_output, strength, why);
  };
  if (o.kind == Operand::Kind::parameter) {
    if (!view.weights.find(o.path)) return std::nullopt;
    Sign out = sign(leaf.step, Strength::note, "a weight is given back as it is");
    out.role = o.path;
    return out;
  }
  if (o.kind == Operand::Kind::literal) {
    if (!o.literal.is_tensor()) return std::nullopt;
    Sign out = sign(leaf.step, Strength::likely, "it is a constant of the graph");
    out.literal = literal_text(o.literal);
    return out;
  }
  const ir::Node* node = view.step(o.step).node;
  bool tensor = o.output < node->outputs().size() && holds_tensors(node->output(o.output)->type());
  if (!tensor || !view.traced(o.step)) return std::nullopt;
  if (view.flow.reads_weights(o.step)) return sign(o.step, Strength::note, "it is made of weights");
  return sign(o.step, Strength::likely, "neither values nor sizes of an input reach it");
}

}  // namespace

void find_captured_tensors(const View& view, std::vector<Sign>& signs) {
  for (size_t s = 0; s < view.program.steps.size(); ++s) {
    // Lists and outputs have no place of their own: what they serve decides.
    bool plain = operator_of(view.step(s)) != nullptr;
    if (plain ? !view.traced(s) : !gathers(view.step(s))) continue;
    if (!plain && !view.traced(view.flow.served({s, 0}).step)) continue;
    for (size_t i = 0; i < view.step(s).operands.size(); ++i) look_at(view, s, i, signs);
  }
}

void find_constant_outputs(const View& view, std::vector<Sign>& signs) {
  if (view.program.steps.empty() || !has_inputs(view)) return;
  for (const Leaf& leaf : leaves_of(view)) {
    if (auto sign = judge_output(view, leaf)) signs.push_back(std::move(*sign));
  }
}

}  // namespace assay::verify::lint
