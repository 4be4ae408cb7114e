// The class whose sign is where the outputs stand: AS115.

#include <algorithm>

#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// Whether the step puts together what the whole program gives.
bool gives_the_outputs(const Program& program, size_t step) {
  const std::vector<Operand>& ends = program.steps.back().operands;
  return gathers(program.steps[step]) &&
         std::any_of(ends.begin(), ends.end(), [&](const Operand& o) {
           return o.kind == Operand::Kind::result && o.step == step;
         });
}

/// For each operand of a step of `a` the one of its counterpart in `b` that reads the same; nothing
/// unless each has one of its own.
std::optional<std::vector<size_t>> order_in(const Program& a, const Program& b,
                                            const Alignment& alignment, size_t step) {
  auto counterpart = alignment.to_b[step];
  if (!counterpart) return std::nullopt;
  const std::vector<Operand>& own = a.steps[step].operands;
  const std::vector<Operand>& others = b.steps[*counterpart].operands;
  std::vector<size_t> order;
  for (const Operand& o : own) {
    if (o.kind != Operand::Kind::result || !alignment.to_b[o.step]) return std::nullopt;
    auto same = std::find_if(others.begin(), others.end(), [&](const Operand& other) {
      return other.kind == Operand::Kind::result && other.step == *alignment.to_b[o.step] &&
             other.output == o.output;
    });
    size_t at = static_cast<size_t>(same - others.begin());
    bool taken = std::find(order.begin(), order.end(), at) != order.end();
    if (same == others.end() || taken) return std::nullopt;
    order.push_back(at);
  }
  return own.size() == others.size() ? std::optional(order) : std::nullopt;
}

}  // namespace

std::optional<Attribution> swapped_outputs(const ExportDiff& view, size_t difference) {
  const GraphDifference& d = view.alignment->differences[difference];
  if (d.kind != Kind::wiring || !gives_the_outputs(*view.subject, d.step_a)) return std::nullopt;
  auto order = order_in(*view.subject, *view.probe, *view.alignment, d.step_a);
  if (!order) return std::nullopt;
  // What the inputs decide is a branch.
  bool always = std::all_of(view.variants->begin(), view.variants->end(), [&](const Variant& v) {
    return order_in(*view.subject, v.exported->program(), v.to_subject, d.step_a) == order;
  });
  if (!always) return std::nullopt;
  Attribution a;
  a.class_id = "AS115";
  a.kind = &swapped_order;
  a.step = d.step_a;
  for (size_t i = 0; i < order->size(); ++i) {
    if ((*order)[i] != i)
      a.role += (a.role.empty() ? "output[" : ", output[") + std::to_string(i) + "]";
  }
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    const GraphDifference& other = view.alignment->differences[i];
    if (other.kind == Kind::wiring && other.step_a == d.step_a) a.differences.push_back(i);
  }
  return a;
}

}  // namespace assay::verify::diagnosis
