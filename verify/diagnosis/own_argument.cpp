// The classes whose sign is a result that stands where the argument is meant: AS111, and of what
// does nothing to an example that is laid out, typed or placed as asked, AS112, AS107 and AS106.

#include <algorithm>

#include "engine/ops/catalog.h"
#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// A tracer that met such an operator where it had nothing to do takes the result for the argument
/// wherever this is read later.
bool may_give_its_argument(const Step& step) {
  const ops::Operator* op = step.node ? step.node->op() : nullptr;
  return op && op->sharing() == ops::Sharing::may_be_argument;
}

bool in_place(const Step& step) {
  const ops::Operator* op = step.node ? step.node->op() : nullptr;
  return op && op->writes_argument(0);
}

/// Whether an operand of the subject and one of the probe are the same value.
bool same_value(const ExportDiff& view, const Operand& own, const Operand& other) {
  if (own.kind != other.kind || own.output != other.output) return false;
  if (own.kind == Operand::Kind::input) return own.step == other.step;
  return own.kind == Operand::Kind::result && view.alignment->to_b[own.step] == other.step;
}

struct TakenResult {
  size_t step;           ///< Whose result it is.
  bool written = false;  ///< To the result, and so to the argument.
};

/// The step of the subject whose result a wiring reads in place of what the probe reads there,
/// which is that step's argument, or was before it was written to; nothing where it is otherwise.
std::optional<TakenResult> taken_for_argument(const ExportDiff& view, const GraphDifference& d) {
  if (d.kind != Kind::wiring) return std::nullopt;
  const auto& own = view.subject->steps[d.step_a].operands;
  const auto& others = view.probe->steps[d.step_b].operands;
  if (d.operand >= own.size() || d.operand >= others.size()) return std::nullopt;
  const Operand* at = &own[d.operand];
  std::optional<TakenResult> taken;
  bool written = false;
  while (at->kind == Operand::Kind::result) {
    const Step& step = view.subject->steps[at->step];
    bool gives = may_give_its_argument(step);
    if ((!gives && !in_place(step)) || step.operands.empty()) return std::nullopt;
    if (!view.alignment->to_b[at->step]) return std::nullopt;
    written = written || in_place(step);
    if (gives) taken = {at->step, written};
    at = &step.operands[0];
    if (taken && same_value(view, *at, others[d.operand])) return taken;
  }
  return std::nullopt;
}

/// By what the input differs in from the example, to which the operator had nothing to do. A write
/// that also reaches the argument there says more than the type or the device that was asked for.
std::string_view class_by(const FeatureAxis& axis, bool written) {
  if (axis.kind == "layout") return "AS112";
  if (axis.kind == "dtype" && !written) return "AS107";
  return axis.kind == "device" && !written ? "AS106" : "AS111";
}

}  // namespace

std::optional<Attribution> result_for_argument(const ExportDiff& view, size_t difference) {
  auto taken = taken_for_argument(view, view.alignment->differences[difference]);
  if (!taken) return std::nullopt;
  Attribution a;
  a.class_id = class_by(view.axis, taken->written);
  a.step = taken->step;
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    if (taken_for_argument(view, view.alignment->differences[i])) a.differences.push_back(i);
  }
  a.fit_text =
      view.subject->steps[taken->step].op + " gave its own argument while the export was made";
  return a;
}

}  // namespace assay::verify::diagnosis
