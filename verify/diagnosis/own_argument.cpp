// The class whose sign is a result that stands where the argument is meant: AS111.

#include <algorithm>
#include <set>

#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// Operators that give their very argument where there is nothing to do: the element type, the
/// layout or the device is that already, dropout is off. A tracer that met them there takes the
/// result for the argument wherever this is read later.
bool may_give_its_argument(const Step& step) {
  static const std::set<std::string> operators{
      "aten::to",      "aten::type_as", "aten::contiguous",      "aten::flatten", "aten::dropout",
      "aten::detach_", "aten::conj",    "aten::feature_dropout", "aten::real",    "aten::cpu"};
  return operators.count(step.op) > 0;
}

bool in_place(const Step& step) { return step.op.ends_with('_') && !step.op.ends_with("__"); }

/// Whether an operand of the subject and one of the probe are the same value.
bool same_value(const ExportDiff& view, const Operand& own, const Operand& other) {
  if (own.kind != other.kind || own.output != other.output) return false;
  if (own.kind == Operand::Kind::input) return own.step == other.step;
  return own.kind == Operand::Kind::result && view.alignment->to_b[own.step] == other.step;
}

/// The step of the subject whose result a wiring reads in place of what the probe reads there,
/// which is that step's argument, or was before it was written to; nothing where it is otherwise.
std::optional<size_t> taken_for_argument(const ExportDiff& view, const GraphDifference& d) {
  if (d.kind != Kind::wiring) return std::nullopt;
  const auto& own = view.subject->steps[d.step_a].operands;
  const auto& others = view.probe->steps[d.step_b].operands;
  if (d.operand >= own.size() || d.operand >= others.size()) return std::nullopt;
  const Operand* at = &own[d.operand];
  std::optional<size_t> giving;
  while (at->kind == Operand::Kind::result) {
    const Step& step = view.subject->steps[at->step];
    bool gives = may_give_its_argument(step);
    if ((!gives && !in_place(step)) || step.operands.empty()) return std::nullopt;
    if (!view.alignment->to_b[at->step]) return std::nullopt;
    if (gives) giving = at->step;
    at = &step.operands[0];
    if (giving && same_value(view, *at, others[d.operand])) return giving;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Attribution> result_for_argument(const ExportDiff& view, size_t difference) {
  auto giving = taken_for_argument(view, view.alignment->differences[difference]);
  if (!giving) return std::nullopt;
  Attribution a;
  a.class_id = "AS111";
  a.step = *giving;
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    if (taken_for_argument(view, view.alignment->differences[i])) a.differences.push_back(i);
  }
  a.fit_text = view.subject->steps[*giving].op + " gave its own argument while the export was made";
  return a;
}

}  // namespace assay::verify::diagnosis
