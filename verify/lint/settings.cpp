// Devices, element types and modes that stand in the graph, and operators that are worth a word:
// pinned_device, pinned_dtype, frozen_mode, training_mode, random_numbers, unknown_operator.

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "engine/core/dtype.h"
#include "engine/ir/kinds.h"
#include "verify/lint/checks.h"

namespace assay::verify::lint {
namespace {

/// Calls `visit(step, operand, argument)` for every literal that an operator reads as it is.
template <typename Visit>
void for_each_literal(const View& view, Visit visit) {
  for (size_t s = 0; s < view.program.steps.size(); ++s) {
    const ops::Operator* op = operator_of(view.step(s));
    if (!op) continue;
    size_t count = std::min(op->schema.arguments.size(), view.step(s).operands.size());
    for (size_t i = 0; i < count; ++i) {
      const Operand& o = view.step(s).operands[i];
      if (o.kind == Operand::Kind::literal) visit(s, o, op->schema.arguments[i]);
    }
  }
}

/// Whether the operator makes a tensor on the device and of the type of another one unless it is
/// told (`zeros_like`, `new_zeros`): tracing writes down what that was.
bool takes_after_tensor(const ops::Operator& op) {
  return takes_tensors(op) && op.gives_fresh_tensors() && op.schema.find_argument("device");
}

/// Whether the operator gives back its own argument where that is of the wanted kind already.
bool converts(const ops::Operator& op) { return takes_tensors(op) && !op.gives_fresh_tensors(); }

void look_at_device(const View& view, size_t s, const Operand& o, std::vector<Sign>& signs) {
  core::Device device = o.literal.to_device();
  Strength strength = Strength::possible;
  std::string why = "the graph names it, wherever its inputs are";
  if (!view.traced(s)) {
    strength = Strength::note;
    why = "its author wrote so";
  } else if (device.type != core::DeviceType::cpu) {
    strength = Strength::likely;
    why = "the graph runs nowhere but there";
  } else if (!view.weights.all_on(device)) {
    strength = Strength::likely;
    why = "weights are on another device";
  } else if (takes_after_tensor(*operator_of(view.step(s)))) {
    why = "the model takes the device from a tensor, the graph from the export";
  }
  Sign sign = view.sign_at(s, RuleId::pinned_device, strength, std::move(why));
  sign.role = "device";
  sign.literal = literal_text(o.literal);
  signs.push_back(std::move(sign));
}

void look_at_dtype(const View& view, size_t s, const Operand& o, const ops::Argument& argument,
                   std::vector<Sign>& signs) {
  auto dtype = core::dtype_from_number(o.literal.to_int());
  const ops::Operator& op = *operator_of(view.step(s));
  // Whole numbers and masks are of one type whatever the model is converted to.
  if (!dtype || !core::is_floating(*dtype) || !view.may_capture(s)) return;
  // How `torch.tensor` makes a constant.
  if (converts(op) && !view.flow.follows_input(s)) return;
  Strength strength = Strength::possible;
  std::string why = "a cast to another tensor's type is recorded so, too";
  if (takes_after_tensor(op)) {
    why = "the model takes the type from a tensor, the graph from the export";
  } else if (!converts(op)) {
    strength = Strength::note;
    why = "its author may have asked for it";
  }
  Sign sign = view.sign_at(s, RuleId::pinned_dtype, strength, std::move(why));
  sign.role = argument.name;
  sign.literal = std::string(core::python_name(*dtype));
  signs.push_back(std::move(sign));
}

/// Arguments that say whether an operator trains.
bool is_mode(const ops::Argument& argument) {
  return argument.name == "train" || argument.name == "training" ||
         argument.name == "use_input_stats";
}

/// The literal that a step is given for an argument; null where it has none of this name.
const core::Value* literal_for(const Step& step, std::string_view argument) {
  auto at = operator_of(step)->schema.find_argument(argument);
  if (!at || *at >= step.operands.size()) return nullptr;
  const Operand& o = step.operands[*at];
  return o.kind == Operand::Kind::literal ? &o.literal : nullptr;
}

/// Whether the mode makes no difference: nothing is dropped, or no statistics are kept.
bool is_idle_mode(const Step& step) {
  for (const char* share : {"p", "dropout"}) {
    const core::Value* given = literal_for(step, share);
    if (given && given->is_float() && given->to_float() == 0) return true;
  }
  const core::Value* mean = literal_for(step, "running_mean");
  return mean && mean->is_none();
}

std::pair<Strength, const char*> judge_mode(const View& view, size_t s) {
  if (!view.traced(s)) return {Strength::note, "its author wrote so"};
  const ir::Block* block = view.step(s).node->owner();
  if (block->owner())
    return {Strength::possible, "it goes on after eval(), where it is run at all"};
  bool of_layer = view.step(s).in_layer || view.untold;
  if (of_layer) return {Strength::likely, "it goes on after eval()"};
  return {Strength::possible, "the model itself may ask for it in every mode"};
}

/// Whether a parameter's path is a module's `training`, which the archive holds as true.
bool is_training_flag(const View& view, const Operand& o) {
  if (o.kind != Operand::Kind::parameter) return false;
  if (o.path != "training" && !o.path.ends_with(".training")) return false;
  auto found = view.weights.attributes.find(o.path);
  return found != view.weights.attributes.end() && found->second.is_bool() &&
         found->second.to_bool();
}

/// One sign for all that ask: `eval()` settles them at once.
void look_for_training_flags(const View& view, std::vector<Sign>& signs) {
  std::optional<Sign> sign;
  for (size_t s = 0; s < view.program.steps.size(); ++s) {
    auto asks = [&](const Operand& o) { return is_training_flag(view, o); };
    if (std::ranges::none_of(view.step(s).operands, asks)) continue;
    if (!sign) {
      sign = view.sign_at(s, RuleId::training_mode, Strength::possible,
                          "nothing calls eval() unless the caller does");
      sign->count = 0;
      sign->literal = "True";
      sign->role = "training";
    }
    ++sign->count;
  }
  if (sign) signs.push_back(std::move(*sign));
}

void look_at_operator(const View& view, size_t s, std::vector<Sign>& signs) {
  const Step& step = view.step(s);
  const ops::Operator* op = operator_of(step);
  if (!op) {
    bool known = step.op == "}" || !step.node || ir::structure_of(step.node->kind());
    if (known) return;
    signs.push_back(view.sign_at(s, RuleId::unknown_operator, Strength::note,
                                 "PyTorch may have it, with the libraries that the model needs"));
    return;
  }
  if (op->numeric() != ops::Numeric::random || is_idle_mode(step)) return;
  for (const ops::Argument& a : op->schema.arguments) {
    const core::Value* mode = is_mode(a) ? literal_for(step, a.name) : nullptr;
    // Nothing is drawn in eval mode; in train mode find_modes tells it.
    if (mode && mode->is_bool() && (!mode->to_bool() || view.traced(s))) return;
  }
  signs.push_back(view.sign_at(s, RuleId::random_numbers, Strength::note,
                               "equal inputs may give different results"));
}

}  // namespace

void find_pinned_devices(const View& view, std::vector<Sign>& signs) {
  for_each_literal(view, [&](size_t s, const Operand& o, const ops::Argument&) {
    if (o.literal.is_device()) look_at_device(view, s, o, signs);
  });
}

void find_pinned_dtypes(const View& view, std::vector<Sign>& signs) {
  for_each_literal(view, [&](size_t s, const Operand& o, const ops::Argument& argument) {
    bool dtype = o.literal.is_int() && argument.int_kind == "ScalarType";
    if (dtype) look_at_dtype(view, s, o, argument, signs);
  });
}

void find_modes(const View& view, std::vector<Sign>& signs) {
  for_each_literal(view, [&](size_t s, const Operand& o, const ops::Argument& argument) {
    bool trains = is_mode(argument) && o.literal.is_bool() && o.literal.to_bool();
    if (!trains || is_idle_mode(view.step(s))) return;
    const auto& [strength, why] = judge_mode(view, s);
    Sign sign = view.sign_at(s, RuleId::frozen_mode, strength, why);
    sign.role = argument.name;
    sign.literal = literal_text(o.literal);
    signs.push_back(std::move(sign));
  });
  look_for_training_flags(view, signs);
}

void find_odd_operators(const View& view, std::vector<Sign>& signs) {
  for (size_t s = 0; s < view.program.steps.size(); ++s) look_at_operator(view, s, signs);
}

}  // namespace assay::verify::lint
